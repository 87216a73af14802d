//! What is left of a Maker–Breaker game: of every line that Breaker has not touched, the cells that Maker lacks.

use super::Mask;

/// The residual hypergraph. Its edges are what is left of the live lines; who moves is said where it matters.
///
/// ```
/// use ludex_games::hypergraph::Residual;
///
/// let mut rest = Residual::<u64>::new([0b0111, 0b1100]);
/// rest.take(2); // Maker
/// assert_eq!(rest.edges(), [0b0011, 0b1000]);
/// rest.block(3); // Breaker
/// assert_eq!(rest.edges(), [0b0011]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Residual<M> {
    pub(super) edges: Vec<M>,
}

impl<M: Mask> Residual<M> {
    /// The given edges.
    pub fn new(edges: impl IntoIterator<Item = M>) -> Self {
        Self { edges: edges.into_iter().collect() }
    }

    /// What stones leave of lines.
    #[inline]
    #[must_use]
    pub fn of(lines: &[M], maker: M, breaker: M) -> Self {
        let mut edges = Vec::with_capacity(lines.len());
        edges.extend(lines.iter().filter(|line| !line.meets(breaker)).map(|line| line.minus(maker)));
        Self { edges }
    }

    /// The edges.
    #[must_use]
    pub fn edges(&self) -> &[M] {
        &self.edges
    }

    /// Whether Breaker has a cell in every line.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.edges.is_empty()
    }

    /// Whether Maker owns a line.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.edges.iter().any(|e| e.is_empty())
    }

    /// The cells that are in some edge.
    #[must_use]
    pub fn cells(&self) -> M {
        self.edges.iter().fold(M::EMPTY, |cells, &e| cells | e)
    }

    /// Maker takes a cell.
    pub fn take(&mut self, cell: usize) {
        let bit = M::bit(cell);
        self.edges.iter_mut().for_each(|e| *e = e.minus(bit));
    }

    /// Breaker takes a cell.
    pub fn block(&mut self, cell: usize) {
        let bit = M::bit(cell);
        self.edges.retain(|e| !e.meets(bit));
    }

    /// Keep only the edges within a set of cells.
    pub fn restrict(&mut self, cells: M) {
        self.edges.retain(|e| e.within(cells));
    }

    /// The sum of 2^−|e| over the edges, in units of 2^−`UNIT`. Longer edges are rounded up.
    #[must_use]
    pub fn weight(&self) -> u64 {
        weight(&self.edges)
    }

    /// The cells of the edges with exactly one cell: what Maker takes to win at once, and Breaker must.
    #[must_use]
    pub fn single(&self) -> M {
        self.edges.iter().filter(|e| e.without_lowest().is_empty()).fold(M::EMPTY, |cells, &e| cells | e)
    }
}

/// Weights are integers in units of 2^−32.
pub const UNIT: u32 = 32;

/// The weight 1: the sum at which Breaker, to move, can no longer rely on Erdős and Selfridge.
pub const ONE: u64 = 1 << UNIT;

/// 2^−|e| in units of 2^−`UNIT`, rounded up to one unit.
#[inline]
#[must_use]
pub fn weight_of<M: Mask>(edge: M) -> u64 {
    ONE >> edge.count().min(UNIT)
}

/// The sum of 2^−|e|.
#[inline]
#[must_use]
pub fn weight<M: Mask>(edges: &[M]) -> u64 {
    edges.iter().map(|&e| weight_of(e)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_and_updates_agree() {
        let lines = [0b0001_0111u64, 0b0000_1100, 0b1110_0000, 0b0101_0001];
        let mut rest = Residual::new(lines);
        rest.take(2);
        rest.block(5);
        rest.take(4);
        assert_eq!(rest, Residual::of(&lines, 0b0001_0100, 0b0010_0000));
        assert_eq!(rest.single(), 0b0000_1000);
        assert_eq!(rest.weight(), ONE / 4 + ONE / 2 + ONE / 4);
        assert_eq!(rest.cells(), 0b0100_1011);
        assert!(!rest.is_made() && !rest.is_broken());
        rest.restrict(0b0000_1011);
        assert_eq!(rest, Residual::new([0b0000_0011, 0b0000_1000]));
        assert!(Residual::of(&lines, 0, 0b0100_0100).is_broken());
        assert!(Residual::of(&lines, 0b0000_1100, 0b0010_0000).is_made());
    }
}
