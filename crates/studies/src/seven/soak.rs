//! Every rule of the Maker–Breaker engine against plain minimax, on random boards and random hypergraphs.

use ludex_core::{Rng, Switches};

use ludex_games::{
    hypergraph::{
        Mask, Residual,
        naive::maker_wins_within,
        weak::{SWITCHES, Stage, Weak},
    },
    seven::EdgeSet,
};

/// What a soak went through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Soaked {
    /// Positions checked.
    pub positions: u64,
    /// Of those, positions whose winner was seen without search.
    pub seen: u64,
    /// Of those, wins of Maker.
    pub made: u64,
    /// Moves listed where the winner was not seen, of all empty cells there.
    pub listed: u64,
    /// Empty cells there.
    pub empties: u64,
}

/// A random position: of a board of either edge set with 4 to 9 columns, or of a random hypergraph, with at most
/// `cells` empty cells in live lines, either side to move, perhaps with a bound on Maker's moves.
fn sample(rng: &mut Rng, cells: usize) -> (Weak<u64>, Stage<u64>) {
    let maker_to_move = rng.below(2) == 0;
    if rng.below(2) == 0 {
        let edge = |rng: &mut Rng| (0..2 + rng.below(3)).fold(0u64, |e, _| e | 1 << rng.below(cells));
        let lines: Vec<u64> = (0..2 + rng.below(2 * cells)).map(|_| edge(rng)).collect();
        let left = if rng.below(3) == 0 { 1 + rng.below(cells / 2) as u32 } else { u32::MAX };
        return (Weak::new(cells, &lines), Stage { maker: 0, breaker: 0, maker_to_move, left });
    }
    let columns = 4 + rng.below(6);
    let edges = if rng.below(2) == 0 { EdgeSet::Paper } else { EdgeSet::Harness };
    let lines = edges.lines(columns);
    let mut order: Vec<usize> = (0..4 * columns).collect();
    rng.shuffle(&mut order);
    let mut p = Stage { maker: 0, breaker: 0, maker_to_move, left: u32::MAX };
    // Maker's share is such that wins and losses are both common.
    let share = 40 + rng.below(35);
    for cell in order {
        if Residual::of(&lines, p.maker, p.breaker).cells().count() as usize <= cells {
            break;
        }
        let bit = 1 << cell;
        if rng.below(100) < share && !Residual::of(&lines, p.maker | bit, p.breaker).is_made() {
            p.maker |= bit;
        } else {
            p.breaker |= bit;
        }
    }
    (Weak::new(4 * columns, &lines), p)
}

fn truth(weak: &Weak<u64>, p: &Stage<u64>) -> bool {
    let rest = Residual::of(weak.lines(), p.maker, p.breaker);
    maker_wins_within(rest.edges(), p.maker_to_move, p.left)
}

/// Check so many random positions with at most `cells` empty cells: all rules on every other one, a random choice of
/// them otherwise. Every now and then `go_on` hears how many are done, and may say no.
///
/// # Errors
/// The first position at which a rule is wrong, in words.
pub fn soak(
    positions: u64,
    cells: usize,
    seed: u64,
    mut go_on: impl FnMut(u64) -> bool,
) -> Result<Soaked, String> {
    let mut rng = Rng::new(seed);
    let mut done = Soaked::default();
    while done.positions < positions && (done.positions % 256 != 0 || go_on(done.positions)) {
        let (mut weak, p) = sample(&mut rng, cells);
        let rest = Residual::of(weak.lines(), p.maker, p.breaker);
        if rest.is_made() || rest.is_broken() {
            continue;
        }
        let choice = if done.positions % 2 == 0 { u64::MAX } else { rng.next_u64() };
        weak.on =
            (0..SWITCHES.len()).filter(|i| choice >> i & 1 == 0).fold(Switches::default(), |on, i| on.off(i));
        done.positions += 1;
        let wins = truth(&weak, &p);
        let mut moves = Vec::new();
        let seen = weak.look(&p, |cell, _| moves.push(cell));
        let off = weak.on.off_names(SWITCHES);
        let at = |what: String| format!("{:?}, {p:?}, without '{off}': {what}", weak.lines());
        if let Some(maker) = seen {
            done.seen += 1;
            done.made += u64::from(maker);
            if maker != wins {
                return Err(at(format!("Maker wins: {maker} by rules, {wins} by minimax")));
            }
            continue;
        }
        done.listed += moves.len() as u64;
        done.empties += u64::from(rest.cells().count());
        let mut each = moves.iter().map(|&cell| truth(&weak, &weak.step(&p, cell)));
        let by_moves = if p.maker_to_move { each.any(|w| w) } else { each.all(|w| w) };
        if by_moves != wins {
            return Err(at(format!("Maker wins: {by_moves} by the moves {moves:?}, {wins} by minimax")));
        }
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_agree_with_minimax() {
        let done = soak(20_000, 10, 1, |_| true).unwrap_or_else(|fault| panic!("{fault}"));
        assert!(done.seen < done.positions && done.made > 1000 && done.seen - done.made > 1000, "{done:?}");
        assert!(done.listed < done.empties, "{done:?}");
    }

    /// With four moves Maker wins here, but none of its blocks by a move that is no cut vertex; a soak found it.
    #[test]
    fn bounded_games_do_not_fall_into_blocks() {
        let mut weak = Weak::new(13, &[4224, 13, 48, 2055, 2088, 523, 1162]);
        weak.on = (0..SWITCHES.len())
            .filter(|&i| ["forced", "threats", "dominated"].contains(&SWITCHES[i].name))
            .fold(Switches::default(), |on, i| on.off(i));
        let p = Stage { maker: 0, breaker: 0, maker_to_move: true, left: 4 };
        assert!(truth(&weak, &p));
        assert!((0..13).any(|cell| truth(&weak, &weak.step(&p, cell))));
    }

    /// All combinations of switches on a smaller sample.
    #[test]
    fn every_combination_of_rules_is_sound() {
        let mut rng = Rng::new(5);
        for choice in 0..1u32 << SWITCHES.len() {
            for _ in 0..6 {
                let (mut weak, p) = sample(&mut rng, 8);
                let rest = Residual::of(weak.lines(), p.maker, p.breaker);
                if rest.is_made() || rest.is_broken() {
                    continue;
                }
                weak.on = (0..SWITCHES.len())
                    .filter(|i| choice >> i & 1 == 0)
                    .fold(Switches::default(), |on, i| on.off(i));
                let mut moves = Vec::new();
                let seen = weak.look(&p, |cell, _| moves.push(cell));
                let mut each = moves.iter().map(|&cell| truth(&weak, &weak.step(&p, cell)));
                let by_rules = match seen {
                    Some(maker) => maker,
                    None if p.maker_to_move => each.any(|w| w),
                    None => each.all(|w| w),
                };
                assert_eq!(by_rules, truth(&weak, &p), "{p:?} {:?} {choice:b}", weak.lines());
            }
        }
    }
}
