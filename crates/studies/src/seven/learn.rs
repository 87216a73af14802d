//! Solved positions: to learn from, and those near the start.

use std::{fmt, ops::RangeInclusive};

use ludex_core::{Budget, Error, ErrorCode, Game as _, Goal, Moves, Outcome, Rng, Side, Window};
use ludex_games::seven::{Board, EdgeSet, Seven, Tile, TileMask};
use ludex_judge::{Monitor, Terms};
use ludex_search::{
    Ask,
    dfpn::{self, ProofTable},
};

use super::Sample;

/// Whether Maker wins, if df-pn finds it within the limits of a job.
pub(super) fn maker_wins<M: TileMask>(
    game: &Tile<M>,
    p: Board<M>,
    table: &ProofTable<M::Key>,
    limits: (&Budget, &Terms),
) -> Result<Option<bool>, Error> {
    let monitor = Monitor::new(limits.0, limits.1);
    let ask = Ask { game, position: p, goal: Goal::Wdl, probe: &monitor, worker: 0 };
    let outcome = dfpn::solve(&ask, table, dfpn::Options::default())?.bounds.outcome();
    Ok(outcome.map(|outcome| (outcome == Outcome::Win) == (p.side == Side::First)))
}

/// A position that was solved, as one line of data: columns, side to move, empty cells, potential, winner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// Columns of the board.
    pub columns: usize,
    /// What is seen of it, and who wins.
    pub sample: Sample,
}

fn name(maker: bool) -> &'static str {
    if maker { "maker" } else { "breaker" }
}

impl fmt::Display for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sample { maker_to_move, empty, potential, breaker_wins } = self.sample;
        write!(f, "{} {} {empty} {potential} {}", self.columns, name(maker_to_move), name(!breaker_wins))
    }
}

/// Read what [`data`] told, one position per line.
///
/// # Errors
/// If a line is none of it.
pub fn read(text: &str) -> Result<Vec<Solved>, Error> {
    let side = |word: &str| match word {
        "maker" => Some(true),
        "breaker" => Some(false),
        _ => None,
    };
    let line = |line: &str| {
        let mut words = line.split(' ');
        let columns = words.next()?.parse().ok()?;
        let maker_to_move = side(words.next()?)?;
        let (empty, potential) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        let sample = Sample { maker_to_move, empty, potential, breaker_wins: !side(words.next()?)? };
        words.next().is_none().then_some(Solved { columns, sample })
    };
    let read = text.lines().enumerate().map(|(i, text)| {
        line(text).ok_or_else(|| {
            Error::new(
                ErrorCode::BadFile,
                format!("line {}: '{text}' is no solved position", i + 1),
                "what `ludex seven data` prints: columns, side to move, empty cells, potential, winner",
            )
        })
    });
    read.collect()
}

/// Draw positions that no rule decides at once and solve them, each within so many nodes; those that take more are left
/// out. How many were left out.
///
/// # Errors
/// If there is no board of so many columns.
pub fn data(
    columns: RangeInclusive<usize>,
    positions: u64,
    nodes: u64,
    seed: u64,
    each: impl FnMut(&Solved),
) -> Result<u64, Error> {
    if *columns.end() <= Seven::COLUMNS {
        data_of::<u64>(columns, positions, nodes, seed, each)
    } else {
        data_of::<u128>(columns, positions, nodes, seed, each)
    }
}

fn data_of<M: TileMask>(
    columns: RangeInclusive<usize>,
    positions: u64,
    nodes: u64,
    seed: u64,
    mut each: impl FnMut(&Solved),
) -> Result<u64, Error> {
    let games: Vec<Tile<M>> = columns
        .map(|n| Ok(Tile::new(n, EdgeSet::Paper)?.for_goal(Goal::Wdl)))
        .collect::<Result<_, Error>>()?;
    let tables: Vec<ProofTable<M::Key>> = games.iter().map(|_| ProofTable::new(64 << 20)).collect();
    let (budget, terms) = (Budget { nodes: Some(nodes), ..Budget::default() }, Terms::default());
    let mut rng = Rng::new(seed);
    let (mut solved, mut left_out) = (0, 0);
    while solved < positions && !games.is_empty() {
        let choice = rng.below(games.len());
        let game = &games[choice];
        let Some(p) = wander(game, &mut rng) else { continue };
        let Some(maker) = maker_wins(game, p, &tables[choice], (&budget, &terms))? else {
            left_out += 1;
            continue;
        };
        let (empty, potential) = game.seen(&p);
        let maker_to_move = p.side == Side::First;
        let sample = Sample { maker_to_move, empty, potential, breaker_wins: !maker };
        each(&Solved { columns: game.columns(), sample });
        solved += 1;
    }
    Ok(left_out)
}

/// A position up to sixteen plies on that no rule decides at once. Half of the moves are among the three that look best,
/// as those of a search are.
fn wander<M: TileMask>(game: &Tile<M>, rng: &mut Rng) -> Option<Board<M>> {
    let mut p = game.start();
    p.side = if rng.below(2) == 0 { Side::First } else { Side::Second };
    let mut moves = Moves::new();
    let open = |p: &Board<M>, moves: &mut Moves<_>| {
        game.outcome(p).is_none() && !Window::WIN.settled_by(game.look(p, Window::WIN, moves))
    };
    for _ in 0..1 + rng.below(16) {
        if !open(&p, &mut moves) {
            return None;
        }
        let among = if rng.below(2) == 0 { moves.len().min(3) } else { moves.len() };
        p = game.step(&p, moves.iter().nth(rng.below(among))?);
    }
    open(&p, &mut moves).then_some(p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_come_back_and_repeat() {
        let draw = || {
            let mut text = String::new();
            data(6..=8, 30, 300, 4, |solved| text += &format!("{solved}\n")).expect("data");
            text
        };
        let text = draw();
        assert_eq!(text, draw());
        let read = read(&text).expect("readable");
        assert_eq!(read.len(), 30);
        assert_eq!(read.iter().map(|s| format!("{s}\n")).collect::<String>(), text);
        assert!(super::read("8 maker 3 x maker").expect_err("no number").message.contains("line 1"));
    }
}
