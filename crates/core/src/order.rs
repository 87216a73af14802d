//! Sorting short lists of anything, with little code for each type.
//!
//! Searches are compiled for every game. A sort of the standard library brings some two thousand lines of intermediate code
//! for every type it sorts; lists of moves are short, and what is sorted here is not worth that.

use std::cmp::Ordering;

/// Up to this length, insertion is as fast as anything.
const SHORT: usize = 24;

/// Sort a list, equals in the order in which they came.
///
/// ```
/// let mut list = [(2, 'a'), (1, 'b'), (2, 'c')];
/// ludex_core::sort_by(&mut list, |x, y| y.0.cmp(&x.0));
/// assert_eq!(list, [(2, 'a'), (2, 'c'), (1, 'b')]);
/// ```
pub fn sort_by<T: Copy>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if list.len() > SHORT {
        let order = order_of(list.len(), &|a, b| compare(&list[a], &list[b]));
        let sorted: Vec<T> = order.iter().map(|&i| list[i as usize]).collect();
        list.copy_from_slice(&sorted);
        return;
    }
    for i in 1..list.len() {
        let (entry, mut j) = (list[i], i);
        while j > 0 && compare(&list[j - 1], &entry) == Ordering::Greater {
            list[j] = list[j - 1];
            j -= 1;
        }
        list[j] = entry;
    }
}

/// The numbers of `n` things in the order of a comparison, equals in their own order. One copy serves all types.
#[must_use]
pub fn order_of(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by(|&a, &b| compare(a as usize, b as usize));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn it_is_the_stable_sort_of_the_standard_library() {
        let mut rng = Rng::new(1);
        for _ in 0..500 {
            let mut list: Vec<(usize, usize)> = (0..rng.below(60)).map(|i| (rng.below(8), i)).collect();
            let mut expected = list.clone();
            expected.sort_by_key(|x| x.0);
            sort_by(&mut list, |x, y| x.0.cmp(&y.0));
            assert_eq!(list, expected);
        }
    }
}
