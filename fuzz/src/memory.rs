//! How much memory the code under test takes.
#![allow(unsafe_code)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

/// Counts what each thread has taken, and the most it ever had since [`bounded`] began.
struct Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(change: isize) {
    // A thread that is ending has no counters any more.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + change);
        let _ = MOST.try_with(|most| most.set(most.get().max(now.get())));
    });
}

// SAFETY: everything is done by the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as promised by the caller.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Do something that may take at most so many bytes on this thread.
///
/// # Panics
/// If it takes more.
pub fn bounded<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let before = NOW.get();
    MOST.set(before);
    let done = work();
    let taken = MOST.get() - before;
    assert!(taken <= bytes as isize, "{taken} bytes taken, where {bytes} are enough");
    done
}
