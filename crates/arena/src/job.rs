//! A job object of Windows: a program and everything that it starts, ended together. It needs `unsafe` to tell the system.
#![allow(unsafe_code)]

use std::{
    io,
    mem::size_of,
    os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle},
    process::Child,
    ptr,
};

use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
};

/// A job whose programs end when it is dropped, or when this process ends in any way: the handle is the only one.
#[derive(Debug)]
pub(crate) struct Job {
    _handle: OwnedHandle,
}

impl Job {
    /// A job with a program in it. What the program started in the moment before is not in it; a player has not been
    /// asked anything by then.
    pub(crate) fn with(child: &Child) -> io::Result<Self> {
        // SAFETY: both arguments may be null: default security, and no name.
        let created = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
        if created.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it was just created, is not null, and belongs to nobody else.
        let handle = unsafe { OwnedHandle::from_raw_handle(created) };
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let size = size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32;
        // SAFETY: the handle is open, and the limits are a structure of the kind and size that is named.
        let limited = unsafe {
            SetInformationJobObject(
                handle.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                ptr::from_ref(&limits).cast(),
                size,
            )
        };
        // SAFETY: both handles are open.
        if limited == 0
            || unsafe { AssignProcessToJobObject(handle.as_raw_handle(), child.as_raw_handle()) } == 0
        {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { _handle: handle })
    }
}
