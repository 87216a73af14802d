//! How large a game is: counted where it is small, estimated by random games everywhere.

use std::collections::HashMap;

use ludex_core::{Error, Game, Notation, Rng};
use ludex_search::retrograde::Plan;

use crate::{
    Study,
    answer::{Complexity, ComplexityKind},
};

/// Measure a game: exactly if it has at most `exact` positions, and by random games.
///
/// The estimate is Knuth's (1975): in a random game the sum over its plies of the products of the numbers of moves so far
/// has the size of the tree as its expectation.
pub(crate) fn measure<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    samples: u64,
    seed: u64,
    exact: u64,
) -> Result<Complexity, Error> {
    let root = game.root().ok_or_else(|| Error::spec("this game has no fixed start", "name a deal"))?;
    // A numbering tells at once that there are too many; otherwise counting stops there.
    let small = study.numbering(game).is_none_or(|n| Plan::of(n.tiers()).positions <= exact);
    let mut sizes: HashMap<G::Position, u128> = HashMap::new();
    let tree = if small { tree_size(game, &root, &mut sizes, exact) } else { None };
    let mut rng = Rng::new(seed);
    let (mut logs, mut plies, mut widths) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..samples {
        let (mut p, mut product, mut sum, mut length) = (root, 0.0f64, 0.0f64, 0u32);
        // Sums of large numbers by their natural logarithms; the root counts as one node.
        while game.outcome(&p).is_none() {
            let mut moves = Vec::new();
            game.each_move(&p, |m| moves.push(m));
            widths.push(moves.len() as f64);
            product += (moves.len() as f64).ln();
            sum = sum.max(product) + (-(sum - product).abs()).exp().ln_1p();
            length += 1;
            let Some(&m) = rng.pick(&moves) else { break };
            p = game.play(&p, m);
        }
        logs.push(sum);
        plies.push(f64::from(length));
    }
    let top = logs.iter().copied().fold(f64::MIN, f64::max);
    let scaled: Vec<f64> = logs.iter().map(|l| (l - top).exp()).collect();
    let (share, share_error) = mean(&scaled);
    let ((plies, plies_error), (moves, moves_error)) = (mean(&plies), mean(&widths));
    Ok(Complexity {
        kind: ComplexityKind::Complexity,
        game: game.spec(),
        tree: tree.map(|n| n.to_string()),
        positions: tree.map(|_| sizes.len() as u64),
        samples,
        tree_log10: (top + share.ln()) / std::f64::consts::LN_10,
        tree_relative_error: share_error / share,
        plies,
        plies_error,
        moves,
        moves_error,
    })
}

/// The mean and its standard error.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}

/// The nodes of the tree below a position, unless it has more than `most` different positions.
fn tree_size<G: Game>(
    game: &G,
    p: &G::Position,
    sizes: &mut HashMap<G::Position, u128>,
    most: u64,
) -> Option<u128> {
    if let Some(&size) = sizes.get(p) {
        return Some(size);
    }
    let mut children = Vec::new();
    if game.outcome(p).is_none() {
        game.each_move(p, |m| children.push(game.play(p, m)));
    }
    let mut size = 1;
    for child in &children {
        size += tree_size(game, child, sizes, most)?;
    }
    sizes.insert(*p, size);
    (sizes.len() as u64 <= most).then_some(size)
}
