//! The winning sets of a positional game.

use super::Mask;

/// Lines over the cells `0..cells`, each a set of cells, and the lines through every cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines<M> {
    cells: usize,
    lines: Vec<M>,
    through: Vec<Vec<u16>>,
}

impl<M: Mask> Lines<M> {
    /// The given lines, each once, in ascending order.
    ///
    /// # Panics
    /// If a line is empty or leaves the cells, or if there are more than 65,536 lines.
    #[must_use]
    pub fn new(cells: usize, mut lines: Vec<M>) -> Self {
        lines.sort_unstable();
        lines.dedup();
        assert!(
            lines.iter().all(|line| !line.is_empty() && line.within(M::below(cells))),
            "a line has cells"
        );
        assert!(lines.len() <= 1 << 16, "lines are numbered by 16 bits");
        let mut through = vec![Vec::new(); cells];
        for (i, line) in lines.iter().enumerate() {
            line.cells().for_each(|cell| through[cell].push(i as u16));
        }
        Self { cells, lines, through }
    }

    /// How many cells there are.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The lines, each a set of cells.
    #[must_use]
    pub fn all(&self) -> &[M] {
        &self.lines
    }

    /// The lines through a cell.
    pub fn through(&self, cell: usize) -> impl ExactSizeIterator<Item = M> + '_ {
        self.through[cell].iter().map(|&i| self.lines[usize::from(i)])
    }

    /// The numbers of the lines through a cell, as indices into [`all`](Lines::all).
    #[must_use]
    pub fn numbers(&self, cell: usize) -> &[u16] {
        &self.through[cell]
    }

    /// Of every line without a stone of the defender, the cells that the attacker still lacks.
    #[inline]
    pub fn live(&self, attacker: M, defender: M) -> impl Iterator<Item = M> + '_ {
        self.lines.iter().filter(move |line| !line.meets(defender)).map(move |line| line.minus(attacker))
    }

    /// The cells that complete a line for the attacker at once.
    #[inline]
    #[must_use]
    pub fn winning_cells(&self, attacker: M, defender: M) -> M {
        self.live(attacker, defender)
            .filter(|rest| rest.count() == 1)
            .fold(M::EMPTY, |cells, rest| cells | rest)
    }

    /// Whether a side owns a whole line.
    #[must_use]
    pub fn owned_by(&self, side: M) -> Option<M> {
        self.lines.iter().copied().find(|line| line.within(side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_lines() {
        let lines = Lines::<u64>::new(4, vec![0b0111, 0b1110, 0b0111, 0b1001]);
        assert_eq!((lines.cells(), lines.all()), (4, [0b0111, 0b1001, 0b1110].as_slice()));
        assert_eq!(lines.numbers(3), [1, 2]);
        assert_eq!(lines.through(0).collect::<Vec<_>>(), [0b0111, 0b1001]);
        assert_eq!(lines.live(0b0010, 0b1000).collect::<Vec<_>>(), [0b0101]);
        assert_eq!(lines.winning_cells(0b0011, 0), 0b1100);
        assert_eq!(lines.winning_cells(0b0001, 0), 0b1000);
        assert_eq!(lines.winning_cells(0b1011, 0), 0b0100, "two lines lack the same cell");
        assert_eq!(lines.owned_by(0b1011), Some(0b1001));
        assert_eq!(lines.owned_by(0b1010), None);
    }
}
