//! What is asked of Nex in particular: its openings, how positions look, and how large the game is.

use std::{
    collections::{BTreeMap, HashMap},
    path::Path,
};

use ludex_core::{Bounds, Game, Goal, InputError, Notation, Playable, Rng, Side, Spec, Value};
use ludex_games::{
    nex::{Nex, Rules, TERMS},
    registry::{self, Visitor},
    rhombus::WIDEST,
    svg::{DRAW, INK, LOSS, PAPER, Svg, WIN},
};
use ludex_search::retrograde::{Plan, solve_all, value_of};

use crate::{
    Refusal,
    table::{self, Answers, TableFault},
};

/// Openings that a symmetry of the board maps to each other, with what they are worth to the first player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningClass {
    /// The moves, smallest first.
    pub moves: Vec<String>,
    /// Their value for the side that makes them.
    pub value: Value,
}

/// All openings of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Openings {
    /// The game.
    pub spec: String,
    /// `table` or `retrograde`: where the values come from.
    pub from: &'static str,
    /// Every class, best first.
    pub classes: Vec<OpeningClass>,
}

/// Games with more numbered positions than this are not solved on the spot.
const ON_THE_SPOT: u64 = 20_000_000;

/// Every opening of a game, from its table in a folder, or solved on the spot if it is small.
///
/// # Errors
/// If there is no table and the game is not small.
pub fn openings(spec: &Spec, folder: Option<&Path>) -> Result<Openings, TableFault> {
    struct Ask<'a>(Option<&'a Path>);
    impl Visitor for Ask<'_> {
        type Output = Result<Openings, TableFault>;
        fn visit<G: Playable>(self, game: G) -> Self::Output {
            openings_of(&game.for_goal(Goal::Distance), self.0)
        }
    }
    registry::visit(spec, Ask(folder))?
}

fn openings_of<G: Playable>(game: &G, folder: Option<&Path>) -> Result<Openings, TableFault> {
    let root = game.root().ok_or_else(|| InputError::spec("this game has no fixed start", "name a deal"))?;
    let file = folder.map(|f| f.join(table::file_name(&game.spec()))).filter(|f| f.is_file());
    let (from, values): (_, Vec<(G::Move, Value)>) = if let Some(file) = file {
        let answers = Answers::open(game, &file)?;
        let moves = answers.moves(game, &root)?.unwrap_or_default();
        ("table", moves.into_iter().map(|m| (m.m, m.value)).collect())
    } else {
        let hint = format!(
            "ludex table build {} --out FOLDER/{}, then --tables FOLDER",
            game.spec(),
            table::file_name(&game.spec())
        );
        let large = || {
            InputError::new(
                "too_large",
                format!("{} is too large to be solved on the spot", game.spec()),
                &hint,
            )
        };
        let numbering = game.numbering().ok_or_else(large)?;
        if Plan::new(numbering.as_ref()).positions > ON_THE_SPOT {
            return Err(large().into());
        }
        let codes = solve_all(game, numbering.as_ref());
        let mut list = Vec::new();
        game.each_move(&root, |m| {
            if let Some(value) = value_of(numbering.as_ref(), &codes, &game.play(&root, m)) {
                list.push((m, value.back()));
            }
        });
        ("retrograde", list)
    };
    let mut classes: BTreeMap<G::Key, Vec<(G::Move, Value)>> = BTreeMap::new();
    for (m, value) in values {
        classes.entry(game.key(&game.play(&root, m))).or_default().push((m, value));
    }
    let mut classes: Vec<Vec<(G::Move, Value)>> = classes.into_values().collect();
    classes.iter_mut().for_each(|class| class.sort_unstable_by_key(|c| c.0));
    classes.sort_by_key(|class| (std::cmp::Reverse(class[0].1), class[0].0));
    let text = |class: Vec<(G::Move, Value)>| OpeningClass {
        value: class[0].1,
        moves: class.iter().map(|(m, _)| game.move_text(&root, *m)).collect(),
    };
    Ok(Openings { spec: game.spec(), from, classes: classes.into_iter().map(text).collect() })
}

impl Openings {
    /// How many openings have each value, best first.
    #[must_use]
    pub fn counts(&self) -> Vec<(Value, usize)> {
        let mut counts: BTreeMap<Value, usize> = BTreeMap::new();
        for class in &self.classes {
            *counts.entry(class.value).or_default() += class.moves.len();
        }
        counts.into_iter().rev().collect()
    }

    /// A map for boards of Nex: one small board for every cell the stone can be put on, with the value of putting the
    /// neutral stone on each of the others.
    #[must_use]
    pub fn map(&self) -> Option<String> {
        let size = self.spec.strip_prefix("nex:")?.split(',').next()?;
        let (rows, cols) = size.split_once('x')?;
        let (rows, cols): (usize, usize) = (rows.parse().ok()?, cols.parse().ok()?);
        if rows > WIDEST || cols > WIDEST {
            return None;
        }
        let step = 16.0;
        let (wide, high) =
            (step * (cols as f64 + rows as f64 / 2.0 + 1.0), step * (rows as f64 * 0.87 + 1.6));
        let mut svg = Svg::new(
            wide * cols as f64 + 10.0,
            high * rows as f64 + 10.0,
            &format!("openings of {}", self.spec),
        );
        let values: HashMap<&str, Value> =
            self.classes.iter().flat_map(|c| c.moves.iter().map(|m| (m.as_str(), c.value))).collect();
        let name = |cell: usize| format!("{}{}", char::from(b'a' + (cell / cols) as u8), cell % cols + 1);
        for own in 0..rows * cols {
            let (left, top) = (10.0 + wide * (own % cols) as f64, 10.0 + high * (own / cols) as f64);
            svg.text(left + 10.0, top, 10.0, "label", INK, &name(own));
            for neutral in 0..rows * cols {
                let (r, c) = ((neutral / cols) as f64, (neutral % cols) as f64);
                let (x, y) = (left + step * (c + r / 2.0 + 0.5), top + step * (0.87 * r + 0.9));
                let value = values.get(format!("B{}?{}", name(own), name(neutral)).as_str());
                let (fill, word) = match value.map(|v| v.outcome().word()) {
                    Some("win") => (WIN, "win"),
                    Some("loss") => (LOSS, "loss"),
                    Some(_) => (DRAW, "draw"),
                    None if own == neutral => (INK, "stone first"),
                    None => (PAPER, "cell"),
                };
                svg.shape(
                    "circle",
                    &[("cx", &x), ("cy", &y), ("r", &6.5), ("fill", &fill), ("class", &word)],
                );
                if let Some(plies) = value.and_then(|v| v.plies()) {
                    svg.text(x, y, 8.0, "label", "#FFFFFF", &plies.to_string());
                }
            }
        }
        Some(svg.finish())
    }
}

/// A term of the evaluation: its name, what it counts, the counts of Black and White, its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermValue {
    /// Its name.
    pub name: &'static str,
    /// What it counts.
    pub what: &'static str,
    /// The counts of Black and White.
    pub counts: [i32; 2],
    /// What a count is worth.
    pub weight: i32,
    /// Whether it is counted: what did not win games is shown, and left out of the sum.
    pub counted: bool,
}

/// How a position of Nex looks: every term, and their sum for the side to move.
///
/// # Errors
/// If the spec is not of Nex or the text is no position of it.
pub fn eval(spec: &str, position: Option<&str>) -> Result<(Vec<TermValue>, i32, Side), Refusal> {
    let spec: Spec = spec.parse()?;
    if spec.name != "nex" {
        return Err(InputError::spec(format!("'{spec}' is not Nex"), "nex:RxC").into());
    }
    let (rows, cols) = spec.size(0, "nex:RxC")?.unwrap_or((4, 4));
    if !(2..=WIDEST).contains(&rows) || !(2..=WIDEST).contains(&cols) {
        return Err(
            InputError::spec(format!("there is no Nex board of {rows}x{cols}"), "2x2 to 19x19").into()
        );
    }
    // The terms do not depend on the rules, nor on the width of the representation.
    let game = Nex::<6>::new(rows, cols, Rules::Nexc, false);
    let p = match position {
        Some(text) => game.parse_position(text)?,
        None => game.parse_position("moves:")?,
    };
    let terms = game.terms(&p);
    let list = TERMS
        .iter()
        .zip(terms.counts)
        .enumerate()
        .map(|(i, (&(name, what, weight), counts))| {
            let counted = game.counts(i);
            TermValue { name, what, counts, weight, counted }
        })
        .collect();
    Ok((list, game.evaluate(&p), game.side(&p)))
}

/// How large a game is.
#[derive(Clone, Debug, PartialEq)]
pub struct Complexity {
    /// The game.
    pub spec: String,
    /// Nodes of the whole tree of move sequences, if it was counted.
    pub tree: Option<u128>,
    /// Different positions that can be reached, if they were counted.
    pub positions: Option<u64>,
    /// Games sampled.
    pub samples: u64,
    /// The estimate of the tree's nodes by Knuth's method, as a decimal logarithm.
    pub tree_log10: f64,
    /// Its relative standard error.
    pub tree_error: f64,
    /// The mean length of a random game and its standard error.
    pub plies: (f64, f64),
    /// The mean number of moves in a position of a random game, and its standard error.
    pub moves: (f64, f64),
}

/// Measure a game: exactly if it has at most `exact` positions, and by random games.
///
/// The estimate is Knuth's (1975): in a random game the sum over its plies of the products of the numbers of moves so far
/// has the size of the tree as its expectation.
///
/// # Errors
/// If the game has no start.
pub fn complexity(spec: &Spec, samples: u64, seed: u64, exact: u64) -> Result<Complexity, InputError> {
    struct Measure(u64, u64, u64);
    impl Visitor for Measure {
        type Output = Result<Complexity, InputError>;
        fn visit<G: Playable>(self, game: G) -> Self::Output {
            measure(&game, self.0, self.1, self.2)
        }
    }
    registry::visit(spec, Measure(samples.max(2), seed, exact))?
}

fn measure<G: Playable>(game: &G, samples: u64, seed: u64, exact: u64) -> Result<Complexity, InputError> {
    let root = game.root().ok_or_else(|| InputError::spec("this game has no fixed start", "name a deal"))?;
    let small = game.numbering().is_some_and(|n| Plan::new(n.as_ref()).positions <= exact);
    let mut sizes: HashMap<G::Position, u128> = HashMap::new();
    let tree = small.then(|| tree_size(game, &root, &mut sizes));
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
    let (mean, error) = mean(&scaled);
    Ok(Complexity {
        spec: game.spec(),
        tree,
        positions: tree.map(|_| sizes.len() as u64),
        samples,
        tree_log10: (top + mean.ln()) / std::f64::consts::LN_10,
        tree_error: error / mean,
        plies: self::mean(&plies),
        moves: self::mean(&widths),
    })
}

fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}

fn tree_size<G: Game>(game: &G, p: &G::Position, sizes: &mut HashMap<G::Position, u128>) -> u128 {
    if let Some(&size) = sizes.get(p) {
        return size;
    }
    let mut children = Vec::new();
    if game.outcome(p).is_none() {
        game.each_move(p, |m| children.push(game.play(p, m)));
    }
    let size = 1 + children.iter().map(|child| tree_size(game, child, sizes)).sum::<u128>();
    sizes.insert(*p, size);
    size
}

/// The outcome of all openings in a line, such as `42 win in 7, 30 draw`.
#[must_use]
pub fn summary(openings: &Openings) -> String {
    let list: Vec<String> = openings
        .counts()
        .into_iter()
        .map(|(value, n)| format!("{n} {}", crate::words::value(Bounds::of_value(value))))
        .collect();
    list.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Spec {
        text.parse().unwrap()
    }

    /// The openings of all boards up to ten cells, as other programs found them.
    #[test]
    fn openings_of_small_boards() {
        for (board, expected) in [
            ("2x2", "2 win in 3, 10 draw"),
            ("2x3", "30 win in 5"),
            ("3x2", "30 loss in 4"),
            ("3x3", "42 win in 7, 30 draw"),
            ("3x3,rules=official", "42 win in 7, 2 win in 9, 28 loss in 8"),
            ("2x4", "56 win in 5"),
            ("4x2", "2 loss in 6, 54 loss in 4"),
            ("2x5", "90 win in 5"),
            ("5x2", "2 loss in 6, 88 loss in 4"),
        ] {
            let found = openings(&spec(&format!("nex:{board}")), None).unwrap();
            assert_eq!(summary(&found), expected, "{board}");
            assert!(found.map().unwrap().contains("<circle"));
        }
        assert!(matches!(openings(&spec("nex:4x4"), None), Err(TableFault::Input(_))));
    }

    #[test]
    fn the_size_of_small_games() {
        for (board, tree, positions) in [("nex:2x2", 61, 37), ("nex:2x3", 0, 571), ("nex:3x2", 0, 581)] {
            let size = complexity(&spec(board), 2000, 1, 1000).unwrap();
            assert_eq!(size.positions, Some(positions), "{board}");
            if tree > 0 {
                assert_eq!(size.tree, Some(tree), "{board}");
            }
            let exact = (size.tree.unwrap() as f64).log10();
            assert!((size.tree_log10 - exact).abs() < 0.1, "{board}: {} and {exact}", size.tree_log10);
        }
        assert!(complexity(&spec("nex:5x5"), 10, 1, 1000).unwrap().tree.is_none());
    }

    #[test]
    fn an_empty_square_board_looks_even() {
        let (terms, score, side) = eval("nex:5x5", None).unwrap();
        assert!(terms.iter().all(|t| t.counts[0] == t.counts[1]), "{terms:?}");
        assert_eq!((score, side), (50, Side::First));
        assert!(eval("hex:5x5", None).is_err());
        assert!(eval("nex:5x5", Some("B")).is_err());
    }
}
