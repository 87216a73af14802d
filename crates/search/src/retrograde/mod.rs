//! Strong solving: the value of every position, from the end of the game backwards.
//!
//! A [`Numbering`] cuts a game into tiers such that every move leads to an earlier one. The tiers are solved in order,
//! each from the values of those it leads to; a tier is dropped from memory as soon as no later one needs it. A game
//! that has no numbering of its own gets one from its keys: [`Keyed`] lists every position that can be reached, once
//! for all its images. Everything here is free of threads and files: whoever has them solves the [`stretches`] of a
//! tier side by side, and keeps what is done.
//!
//! ```
//! use ludex_core::{Game, Unlimited, Value};
//! use ludex_games::{nex::{Nex, Rules}, template::Heap};
//! use ludex_search::retrograde::{Keyed, solve_all, value_of};
//!
//! let nex = Nex::<1>::new(2, 2, Rules::Nexc, false);
//! let numbering = nex.numbering().unwrap();
//! let codes = solve_all(&nex, numbering.as_ref(), &Unlimited)?;
//! assert_eq!(value_of(numbering.as_ref(), &codes, &nex.root().unwrap()), Some(Value::win(3)));
//!
//! let heap = Heap { size: 8 };
//! let keyed = Keyed::reach(&heap, &heap.root().unwrap(), 1 << 20, &Unlimited).unwrap();
//! let codes = solve_all(&heap, &keyed, &Unlimited)?;
//! assert_eq!(value_of(&keyed, &codes, &heap.root().unwrap()), Some(Value::loss(4)));
//! # Ok::<(), ludex_core::Stop>(())
//! ```
mod keyed;
mod plan;
mod positions;

pub use keyed::{ByKey, Keyed, key_bytes};
pub use plan::{Plan, stretches};
pub use positions::{Fan, Listed, Numbered, Numbers, Positions, Rows};

use ludex_core::{Code, Game, Known, Numbering, Probe, Stop, Value};

/// Positions solved between two questions whether to go on.
const STRETCH: u64 = 1 << 10;

/// Solve all tiers, one after the other, keeping them all.
///
/// # Errors
/// If the probe says stop.
pub fn solve_all<G: Game>(
    game: &G,
    numbering: &dyn Numbering<G>,
    probe: &dyn Probe,
) -> Result<Vec<Vec<u8>>, Stop> {
    solve_numbered(&(game, numbering), probe)
}

fn solve_numbered(numbered: &dyn Numbered, probe: &dyn Probe) -> Result<Vec<Vec<u8>>, Stop> {
    let mut done: Vec<Vec<u8>> = Vec::new();
    for (tier, about) in numbered.tiers().iter().enumerate() {
        let slices: Vec<&[u8]> = done.iter().map(Vec::as_slice).collect();
        let mut codes = vec![Code::UNKNOWN.0; about.len as usize];
        for stretch in stretches(numbered, tier, STRETCH) {
            let out = &mut codes[stretch.start as usize..stretch.end as usize];
            numbered.values(tier, stretch.start, Known { tiers: &slices }, out);
            probe.check(stretch.end - stretch.start).map_or(Ok(()), Err)?;
        }
        done.push(codes);
    }
    Ok(done)
}

/// The value of a position among solved tiers.
pub fn value_of<G: Game>(numbering: &dyn Numbering<G>, codes: &[Vec<u8>], p: &G::Position) -> Option<Value> {
    let place = numbering.place(p)?;
    Code(codes[place.tier][place.index as usize]).value()
}

#[cfg(test)]
mod tests {
    use ludex_core::{Unlimited, conformance::Minimax};
    use ludex_games::{
        hex::Hex,
        nex::{Nex, Rules},
        template::Heap,
    };

    use super::*;

    fn same_as_minimax<G: Game>(game: &G) -> usize {
        let root = game.root().unwrap();
        let keyed = Keyed::reach(game, &root, 1 << 30, &Unlimited).unwrap();
        let codes = solve_all(game, &keyed, &Unlimited).expect("nobody stops it");
        let mut minimax = Minimax::new();
        minimax.value(game, &root);
        for (p, &value) in &minimax.values {
            assert_eq!(value_of(&keyed, &codes, p), Some(value), "{p:?}");
        }
        codes.iter().map(Vec::len).sum()
    }

    #[test]
    fn positions_by_key_are_worth_what_minimax_says() {
        same_as_minimax(&Heap { size: 20 });
        same_as_minimax(&Hex::<1>::new(3, 3));
        same_as_minimax(&Nex::<1>::new(2, 3, Rules::Official, false));
        same_as_minimax(&Nex::<1>::new(2, 2, Rules::Nexc, true));
        assert!(
            same_as_minimax(&Nex::<1>::new(2, 2, Rules::Nexc, false)) < 37,
            "fewer than without the half turn"
        );
    }

    #[test]
    fn too_little_memory_is_said_in_time() {
        let game = Hex::<1>::new(3, 3);
        let too_little = Keyed::reach(&game, &game.root().unwrap(), 1000, &Unlimited);
        assert_eq!(too_little.err(), Some(ludex_core::Stop::Memory));
    }
}
