//! Seven in a row on its tile: what its own verbs ask.

mod fit;
mod learn;
mod paper;
mod soak;

use ludex_core::{Error, Game as _, Notation as _, Rng, Side, Spec};
pub use ludex_games::seven::{EdgeSet, Logit, WideSeven as Game};
use ludex_games::{
    hypergraph::Mask as _,
    seven::{Cell, Potential, Seven, tile},
};

pub use fit::{Fitted, Sample, fit};
pub use learn::{Solved, data, read};
pub use paper::{LineMeasured, PaperLimits, TABLES, figure, reproduce};
pub use soak::{Soaked, soak};

/// The game of a number of columns and an edge set.
///
/// # Errors
/// If there are too few or too many columns.
pub fn game(columns: usize, edges: EdgeSet) -> Result<Game, Error> {
    Game::new(columns, edges)
}

/// The game of a spec, whatever its width.
///
/// # Errors
/// If the parameters are wrong.
pub fn of_spec(spec: &Spec) -> Result<Game, Error> {
    tile(spec)
}

/// The lines in canonical form: each as its cells, sorted.
#[must_use]
pub fn edges(game: &Game) -> Vec<String> {
    let cells = |line: u128| {
        let place = |bit| (Cell::of_bit(bit as u32).row(), Cell::of_bit(bit as u32).column());
        let mut cells: Vec<(u8, u8)> = line.cells().map(place).collect();
        cells.sort_unstable();
        cells
    };
    let mut lines = game.lines().to_vec();
    lines.sort_by_key(|&line| cells(line));
    lines.into_iter().map(|line| game.line_text(line)).collect()
}

/// The histogram of the start, for 1 to 7 cells left, and the potential.
#[must_use]
pub fn potential(game: &Game) -> ([u32; 7], Potential) {
    let histogram = game.histogram(&game.start());
    (std::array::from_fn(|l| histogram.count(l + 1)), histogram.potential())
}

/// Which sum tells that Breaker wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Breaker to move and potential below 1, as in the paper.
    Paper,
    /// Breaker to move and potential below 2, or Maker to move and potential below 1 (Erdős and Selfridge).
    Selfridge,
}

impl Stop {
    /// Whether Breaker is known to win.
    #[must_use]
    pub fn tells(self, potential: Potential, side: Side) -> bool {
        match (self, side) {
            (Stop::Paper, Side::First) => false,
            (Stop::Selfridge, Side::Second) => potential < Potential::TWO,
            _ => potential < Potential::ONE,
        }
    }
}

/// One move of a random game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Its number, from 1.
    pub number: usize,
    /// Who moved.
    pub player: &'static str,
    /// Where.
    pub cell: String,
    /// The potential after it.
    pub potential: Potential,
    /// Whether Maker has a line.
    pub made: bool,
    /// Whether Breaker has a certificate that he wins.
    pub certificate: bool,
}

/// A random game from a seed, until somebody has won or so many moves are made.
#[must_use]
pub fn simulate(game: &Game, seed: u64, max_moves: usize, stop: Stop) -> Vec<Ply> {
    let mut rng = Rng::new(seed);
    let mut p = game.start();
    let mut plies = Vec::new();
    while plies.len() < max_moves && game.outcome(&p).is_none() {
        let mut moves = Vec::new();
        game.each_move(&p, |m| moves.push(m));
        let Some(&m) = rng.pick(&moves) else { break };
        let player = game.side_names()[p.side.index()];
        let cell = game.move_text(&p, m);
        p = game.play(&p, m);
        let potential = game.potential(&p);
        plies.push(Ply {
            number: plies.len() + 1,
            player,
            cell,
            potential,
            made: game.complete_line(&p).is_some(),
            certificate: stop.tells(potential, p.side),
        });
    }
    plies
}

/// The game of a spec of at most 15 columns, as it is searched.
///
/// # Errors
/// If the spec is no game of this family, or has more columns.
pub fn parse(spec: &str) -> Result<Seven, Error> {
    tile(&spec.parse()?)
}
