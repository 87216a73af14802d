//! How many nodes each technique saves, on fixed positions at a fixed depth.

use ludex_core::{Error, Notation, Unlimited};
use ludex_games::connect4::{Column, Connect4};
use ludex_search::think::{Options, Thought, think};

use super::evaluation::Heuristic;

/// The positions: the start and the first moves of quiet games.
pub const POSITIONS: [&str; 6] = ["", "44", "4435", "332445", "14725364", "1472536441"];

/// The techniques, each with those before it.
#[must_use]
pub fn steps(depth: u32) -> [(&'static str, Options); 6] {
    let all = Options { depth: Some(depth), ..Options::default() };
    let order = Options { table: false, ..all };
    let cutoffs = Options { order: false, ..order };
    [
        ("nothing", Options { cutoffs: false, ..cutoffs }),
        ("+ alpha-beta", cutoffs),
        ("+ order", order),
        ("+ table", all),
        ("+ null move (off by default)", Options { null_move: true, ..all }),
        ("dynamic depth instead of a fixed one", Options { depth: None, ..all }),
    ]
}

/// What the opponent thinks of each position.
///
/// # Errors
/// Never for the positions above.
fn thoughts(options: Options) -> Result<Vec<Thought<Column>>, Error> {
    let game = Connect4::default();
    let heuristic = Heuristic::new(game);
    let one = |text| {
        let p = game.parse_position(text)?;
        Ok(think(&game, &heuristic, &p, options, &Unlimited))
    };
    POSITIONS.into_iter().map(one).collect()
}

/// The mean nodes of every step.
///
/// # Errors
/// Never for the positions above.
pub fn nodes(depth: u32) -> Result<Vec<(&'static str, u64)>, Error> {
    let mean = |(name, options)| {
        let total: u64 = thoughts(options)?.iter().map(Thought::nodes).sum();
        Ok((name, total / POSITIONS.len() as u64))
    };
    steps(depth).into_iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cutoffs, order and table change the work and not the worth.
    #[test]
    fn techniques_save_nodes_and_keep_the_worth() {
        let steps = steps(4);
        let thoughts = steps[..4].iter().map(|(_, options)| thoughts(*options).expect("positions"));
        let found: Vec<(Vec<i32>, u64)> = thoughts
            .map(|all| (all.iter().map(|t| t.score).collect(), all.iter().map(Thought::nodes).sum()))
            .collect();
        assert!(found.iter().all(|(scores, _)| *scores == found[0].0), "{found:?}");
        assert!(found[1].1 < found[0].1 && found[2].1 < found[1].1, "{found:?}");
    }
}
