//! What a position looks like to the heuristic opponent, part by part.

use ludex_core::{Bounds, Game, Moves, Side};
use ludex_games::connect4::{Board, Column, Connect4, Shape, Word, column_name, lines};
use ludex_search::think::{Evaluation, Part};

use super::weights::{DEPTHS, ORDER, WEIGHTS, Weights};

/// The parts of an evaluation, for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts {
    /// Stones in and beside the middle, own less the opponent's.
    pub centre: i32,
    /// Windows of four cells.
    pub windows: i32,
    /// Cells that complete a four, by parity of their row.
    pub threats: i32,
    /// Threats on top of each other.
    pub stacked: i32,
    /// Columns that open a four to somebody.
    pub zugzwang: i32,
    /// Threats that the opponent has to allow at last.
    pub forced: i32,
}

impl Parts {
    /// The evaluation.
    #[must_use]
    pub const fn total(&self) -> i32 {
        self.centre + self.windows + self.threats + self.stacked + self.zugzwang + self.forced
    }

    /// The parts with their names and what they count.
    #[must_use]
    pub fn named(&self) -> [Part; 6] {
        [
            Part::new("centre", "stones in and beside the middle", self.centre),
            Part::new("windows", "four cells in a line with stones of one side only", self.windows),
            Part::new("threats", "cells that complete a four, by the parity of their row", self.threats),
            Part::new("stacked threats", "threats on top of each other", self.stacked),
            Part::new("zugzwang", "columns that open a four to somebody", self.zugzwang),
            Part::new("forced play", "threats that the opponent has to allow at last", self.forced),
        ]
    }
}

/// The opponent's rules of thumb on one board.
#[derive(Clone, Debug)]
pub struct Heuristic<S: Shape> {
    game: Connect4<S>,
    windows: Vec<S::Word>,
    weights: Weights,
}

impl<S: Shape> Heuristic<S> {
    /// With the weights of the table.
    #[must_use]
    pub fn new(game: Connect4<S>) -> Self {
        let shape = game.shape;
        let mut windows = Vec::new();
        for c in 0..shape.width() {
            for r in 0..shape.height() {
                for (dc, dr) in [(1i64, 0i64), (0, 1), (1, 1), (1, -1)] {
                    let cells: Option<Vec<(u32, u32)>> = (0..4)
                        .map(|i| {
                            let c =
                                u32::try_from(i64::from(c) + i * dc).ok().filter(|&c| c < shape.width())?;
                            let r =
                                u32::try_from(i64::from(r) + i * dr).ok().filter(|&r| r < shape.height())?;
                            Some((c, r))
                        })
                        .collect();
                    if let Some(cells) = cells {
                        windows.push(cells.iter().fold(S::Word::ZERO, |w, &(c, r)| w | shape.cell(c, r)));
                    }
                }
            }
        }
        Self { game, windows, weights: WEIGHTS }
    }

    /// The evaluation of an unfinished game for one side.
    #[must_use]
    pub fn parts(&self, p: &Board<S::Word>, side: Side) -> Parts {
        let shape = self.game.shape;
        let (own, other) = if self.game.side(p) == side { (p.own, p.other()) } else { (p.other(), p.own) };
        let free = shape.cells() ^ p.all;
        let landings = p.landings(shape);
        let ours = lines::completing(shape, own) & free;
        let theirs = lines::completing(shape, other) & free;
        let rows = [odd_rows(shape), shape.cells() ^ odd_rows(shape)];
        let good = rows[side.index()];
        let mut parts = Parts {
            centre: self.centre(own) - self.centre(other),
            windows: self.windows_of(own, other),
            threats: self.threats(ours, theirs, landings, good),
            ..Parts::default()
        };
        let weights = &self.weights;
        parts.stacked = times(ours & ours << 1, weights.stacked_threats);
        for c in 0..shape.width() {
            let column = shape.column(c);
            let above = (landings & column) << 1;
            if (theirs & above).any() {
                parts.zugzwang += weights.we_open;
            }
            if (ours & above).any() {
                parts.zugzwang += weights.other_opens;
            }
            let threat = (ours & column & good & !landings).first();
            if threat.none() {
                continue;
            }
            let below = free & column & !shape.upward(threat);
            if (below & theirs).none() {
                parts.zugzwang += weights.controlled;
                if below.count().is_multiple_of(2) {
                    parts.forced += weights.forced;
                }
            }
        }
        parts
    }

    fn centre(&self, stones: S::Word) -> i32 {
        let width = self.game.shape.width();
        let (left, right) = ((width - 1) / 2, width / 2);
        (0..width)
            .map(|c| {
                let stones = (stones & self.game.shape.column(c)).count() as i32;
                match c {
                    _ if c == left || c == right => stones * self.weights.centre,
                    _ if c + 1 == left || c == right + 1 => stones * self.weights.beside_centre,
                    _ => 0,
                }
            })
            .sum()
    }

    fn windows_of(&self, own: S::Word, other: S::Word) -> i32 {
        let weights = &self.weights;
        let worth = |&window: &S::Word| match ((own & window).count(), (other & window).count()) {
            (4, 0) => weights.own_four,
            (3, 0) => weights.own_three,
            (2, 0) => weights.own_two,
            (0, 3) => weights.other_three,
            (0, 2) => weights.other_two,
            _ => 0,
        };
        self.windows.iter().map(worth).sum()
    }

    fn threats(&self, ours: S::Word, theirs: S::Word, landings: S::Word, good: S::Word) -> i32 {
        let weights = &self.weights;
        let later = ours & !landings;
        times(ours & landings, weights.threat_playable)
            + times(later & good, weights.threat_favourable)
            + times(later & !good, weights.threat_other)
            + times(theirs & landings, weights.other_threat_playable)
            + times(theirs & !landings & !good, weights.other_threat_favourable)
    }

    /// The threats of a side, as `column-row`, for people.
    #[must_use]
    pub fn threat_names(&self, p: &Board<S::Word>, side: Side) -> Vec<String> {
        let shape = self.game.shape;
        let own = if self.game.side(p) == side { p.own } else { p.other() };
        let mut threats = lines::completing(shape, own) & (shape.cells() ^ p.all);
        let mut names = Vec::new();
        while threats.any() {
            let cell = threats.first();
            let row = cell.lowest() % shape.stride() + 1;
            names.push(format!("{}-{row}", column_name(shape.column_number(cell))));
            threats = threats.rest();
        }
        names
    }
}

impl<S: Shape> Evaluation<Connect4<S>> for Heuristic<S> {
    fn guess(&self, _: &Connect4<S>, p: &Board<S::Word>, side: Side) -> i32 {
        self.parts(p, side).total()
    }

    fn parts(&self, _: &Connect4<S>, p: &Board<S::Word>, side: Side) -> Vec<Part> {
        self.parts(p, side).named().into()
    }

    /// A win that can be taken, else the stone that stops one.
    fn at_once(&self, game: &Connect4<S>, p: &Board<S::Word>) -> Option<Column> {
        let (shape, landings) = (game.shape, p.landings(game.shape));
        let win = lines::completing(shape, p.own) & landings;
        let stop = lines::completing(shape, p.other()) & landings;
        let cell = if win.any() { win } else { stop };
        cell.any().then(|| Column(shape.column_number(cell.first()) as u8))
    }

    /// All moves: wins, blocks, then from the middle outward. What the exact rules know is left to the solver, so that
    /// this opponent can be beaten.
    fn candidates(
        &self,
        game: &Connect4<S>,
        p: &Board<S::Word>,
        most: usize,
        moves: &mut Moves<Column>,
    ) -> Bounds {
        let shape = game.shape;
        let wins = lines::completing(shape, p.own);
        let blocks = lines::completing(shape, p.other());
        let landings = p.landings(shape);
        moves.clear();
        game.each_move(p, |m| {
            let c = u32::from(m.0);
            let cell = landings & shape.column(c);
            let from_middle = (2 * c).abs_diff(shape.width() - 1) as usize / 2;
            let score = ORDER.columns[from_middle.min(3)]
                + ORDER.win * i32::from((wins & cell).any())
                + ORDER.block * i32::from((blocks & cell).any());
            moves.push_scored(m, score);
        });
        moves.sort();
        moves.scored_mut().truncate(most.max(1));
        Connect4::<S>::OPEN
    }

    fn habit(&self) -> i32 {
        ORDER.habit
    }

    fn depth(&self, _: &Connect4<S>, p: &Board<S::Word>) -> Option<u32> {
        DEPTHS.iter().find(|(most, _)| p.stones() <= *most).map(|d| d.1)
    }

    /// The opponent's second stone in a row. By the count of stones it is his turn still, so the stones in `own` are
    /// his, and nothing can be searched from there.
    fn after_pass(&self, game: &Connect4<S>, p: &Board<S::Word>, side: Side) -> Vec<i32> {
        let mut guesses = Vec::new();
        if self.at_once(game, p).is_none() {
            let mut landings = p.landings(game.shape);
            while landings.any() {
                let cell = landings.first();
                landings = landings.rest();
                let after = Board { own: p.other() | cell, all: p.all | cell };
                guesses.push(self.parts(&after, side).total());
            }
        }
        guesses
    }
}

fn times<W: Word>(cells: W, weight: i32) -> i32 {
    cells.count() as i32 * weight
}

fn odd_rows<S: Shape>(shape: S) -> S::Word {
    (0..shape.height()).step_by(2).fold(S::Word::ZERO, |rows, r| rows | shape.row(r))
}

#[cfg(test)]
mod tests {
    use ludex_core::Notation;

    use super::*;

    fn parts(text: &str, side: Side) -> Parts {
        let game = Connect4::default();
        Heuristic::new(game).parts(&game.parse_position(text).expect("a position"), side)
    }

    #[test]
    fn the_empty_board_is_even_and_the_centre_is_not() {
        assert_eq!(parts("", Side::First), Parts::default());
        assert_eq!(parts("4", Side::First).centre, 6);
        assert_eq!(parts("4", Side::Second).centre, -6);
        assert_eq!(parts("35", Side::First).centre, 0);
        assert_eq!(parts("53", Side::First).windows, 0, "single stones make no window");
    }

    #[test]
    fn windows_and_threats_are_counted_as_the_table_says() {
        // Red 3 4 5 on the ground, open at both ends: two windows of three, and those of two at the sides.
        let p = parts("334455", Side::First);
        assert_eq!(p.threats, 2 * 500 + 2 * -140, "both ends at once; Yellow's two on the even row above");
        assert_eq!(p.windows, 2 * 50 + 2 * 10 - 2 * 80 - 2 * 8);
        assert_eq!(p.zugzwang, -400, "Red's stones at the ends open Yellow's cells above");
        let q = parts("334455", Side::Second);
        assert_eq!(q.threats, 2 * 150 - 2 * 450);
        assert_eq!((q.zugzwang, q.forced), (2 * 180, 0), "Red's threats lie below Yellow's");
        assert_eq!(Parts { centre: 1, windows: 2, ..Parts::default() }.total(), 3);
    }

    #[test]
    fn there_are_69_windows() {
        assert_eq!(Heuristic::new(Connect4::default()).windows.len(), 69);
    }
}
