//! The images of a board: four for a rectangle, eight for a square.

use crate::hypergraph::Mask;

/// A permutation of cells, as tables that carry eight cells at a time to their images.
#[derive(Clone, Debug)]
struct Shuffle<M> {
    chunks: Vec<Vec<M>>,
}

impl<M: Mask> Shuffle<M> {
    fn new(cells: usize, image: impl Fn(usize) -> usize) -> Self {
        let chunk = |start: usize| {
            let width = 8.min(cells - start);
            let carry = |byte: usize| {
                (0..width)
                    .filter(|i| byte >> i & 1 == 1)
                    .fold(M::EMPTY, |set, i| set | M::bit(image(start + i)))
            };
            (0..1 << width).map(carry).collect()
        };
        Self { chunks: (0..cells).step_by(8).map(chunk).collect() }
    }

    #[inline]
    fn apply(&self, set: M) -> M {
        self.chunks.iter().enumerate().fold(M::EMPTY, |image, (i, table)| {
            let byte = set.word(i / 8) >> (i % 8 * 8) & 0xff;
            image | table[byte as usize]
        })
    }
}

/// The symmetries of a board of `m` columns and `n` rows.
#[derive(Clone, Debug)]
pub struct Symmetry<M> {
    upside_down: Shuffle<M>,
    mirror: Shuffle<M>,
    transpose: Option<Shuffle<M>>,
}

impl<M: Mask> Symmetry<M> {
    /// All that map the board to itself: all of them keep lines.
    pub(super) fn new(m: usize, n: usize) -> Self {
        Self {
            upside_down: Shuffle::new(m * n, |c| (n - 1 - c / m) * m + c % m),
            mirror: Shuffle::new(m * n, |c| c / m * m + (m - 1 - c % m)),
            transpose: (m == n).then(|| Shuffle::new(m * n, |c| c % m * m + c / m)),
        }
    }

    /// All images of a set, the set itself first.
    #[inline]
    fn images(&self, set: M) -> ([M; 8], usize) {
        let four = |a: M| {
            let b = self.upside_down.apply(a);
            [a, b, self.mirror.apply(a), self.mirror.apply(b)]
        };
        let mut all = [M::EMPTY; 8];
        all[..4].copy_from_slice(&four(set));
        match &self.transpose {
            None => (all, 4),
            Some(transpose) => {
                all[4..].copy_from_slice(&four(transpose.apply(set)));
                (all, 8)
            }
        }
    }

    /// All images of two sets that are carried together.
    #[inline]
    pub fn pairs(&self, a: M, b: M) -> impl Iterator<Item = (M, M)> {
        let ((a, count), (b, _)) = (self.images(a), self.images(b));
        (0..count).map(move |i| (a[i], b[i]))
    }

    /// All images of three sets that are carried together.
    pub fn triples(&self, a: M, b: M, c: M) -> impl Iterator<Item = (M, M, M)> {
        let (c, _) = self.images(c);
        self.pairs(a, b).zip(c).map(|((a, b), c)| (a, b, c))
    }

    /// The least image of two sets that are carried together.
    #[inline]
    #[must_use]
    pub fn least(&self, a: M, b: M) -> (M, M) {
        self.pairs(a, b).min().unwrap_or((a, b))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::mnk::Shape;

    #[test]
    fn symmetries_keep_lines() {
        for (m, n, k, size) in [(3, 3, 3, 8), (4, 3, 3, 4), (3, 5, 3, 4), (7, 7, 5, 8), (11, 2, 2, 4)] {
            let shape = Shape::<u64>::new(m, n, k);
            let symmetry = Symmetry::<u64>::new(m, n);
            let lines: BTreeSet<u64> = shape.lines().all().iter().copied().collect();
            for &line in shape.lines().all() {
                assert!(symmetry.pairs(line, 0).all(|(image, _)| lines.contains(&image)));
            }
            // A set without symmetry has as many images as there are symmetries.
            let images: BTreeSet<_> = symmetry.pairs(0b1, 0b10).collect();
            assert_eq!(images.len(), size);
            assert!(images.iter().all(|&(a, b)| symmetry.least(a, b) == symmetry.least(0b1, 0b10)));
        }
    }
}
