//! How many nodes each technique saves, on fixed positions at a fixed depth.

use ludex_core::InputError;

use super::{engine::Options, opponent};

/// The positions: the start and the first moves of quiet games.
pub const POSITIONS: [&str; 6] = ["", "44", "4435", "332445", "14725364", "1472536441"];

/// The techniques, each with those before it.
#[must_use]
pub fn steps(depth: u32) -> [(&'static str, Options); 6] {
    let none = Options {
        cutoffs: false,
        order: false,
        table: false,
        null_move: false,
        depth: Some(depth),
        time: None,
    };
    let cutoffs = Options { cutoffs: true, ..none };
    let order = Options { order: true, ..cutoffs };
    let table = Options { table: true, ..order };
    [
        ("nothing", none),
        ("+ alpha-beta", cutoffs),
        ("+ order", order),
        ("+ table", table),
        ("+ null move (off by default)", Options { null_move: true, ..table }),
        ("dynamic depth instead of a fixed one", Options { depth: None, ..table }),
    ]
}

/// The mean nodes of every step.
///
/// # Errors
/// Never for the positions above.
pub fn nodes(depth: u32) -> Result<Vec<(&'static str, u64)>, InputError> {
    steps(depth)
        .into_iter()
        .map(|(name, options)| {
            let mut total = 0;
            for position in POSITIONS {
                total += opponent("connect4", options)?.choose(position)?.1.nodes;
            }
            Ok((name, total / POSITIONS.len() as u64))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{super::weights::WEIGHTS, *};

    /// Cutoffs, order and table change the work and not the worth.
    #[test]
    fn techniques_save_nodes_and_keep_the_worth() {
        let mut nodes = [0; 4];
        for position in POSITIONS {
            let mut worths = Vec::new();
            for (i, (_, options)) in steps(4)[..4].iter().enumerate() {
                let (_, choice) =
                    opponent("connect4", *options).expect("a game").choose(position).expect("a move");
                nodes[i] += choice.nodes;
                // A win that deepening finds early is the same win, with another depth remaining.
                worths.push(choice.worth.clamp(-WEIGHTS.end, WEIGHTS.end));
            }
            assert!(worths.iter().all(|w| *w == worths[0]), "{position}: {worths:?}");
        }
        assert!(nodes[1] < nodes[0] && nodes[2] < nodes[1], "{nodes:?}");
    }
}
