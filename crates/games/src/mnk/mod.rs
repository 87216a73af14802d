//! The m,n,k-game: `m` columns, `n` rows, `k` stones in a row, column or diagonal.
//!
//! `rule=strong` (who first completes a line wins; a full board is a draw), `rule=weak` (Maker–Breaker: only the first
//! player, Maker, can win; the game ends as soon as Maker has a line or no line is left to him, so there are no
//! draws), `rule=misere` (who completes a line loses). `k` or more in line count as a line. A `k` larger than both
//! sides is legal: there are no lines then.
//!
//! ```
//! use ludex_core::{Game, Notation, Outcome};
//! use ludex_games::mnk::{Mnk, Rule};
//!
//! let game = Mnk::<u64>::new(3, 3, 3, Rule::Strong);
//! let p = game.parse_position("moves:b2,a1,b1,a2,b3").unwrap();
//! assert_eq!(game.position_text(&p), ".x./ox./ox.");
//! assert_eq!(game.outcome(&p), Some(Outcome::Loss), "for O, who would be to move");
//! assert_eq!(game.why(&p).unwrap(), "X has the line b1 b2 b3");
//! ```
mod draw;
mod hints;
mod import;
mod notation;
mod position;
mod reference;
mod shape;
mod symmetry;

use ludex_core::{Error, SizeForm, Spec};

use crate::{
    hypergraph::Wide,
    registry::{Family, Visitor},
};

pub use position::{Board, Cell, Mnk, Stones};
pub use reference::NaiveMnk;
pub use shape::Shape;
pub use symmetry::Symmetry;

/// What the registry says about it.
pub const FAMILY: Family = Family {
    name: "mnk",
    title: "m,n,k-game",
    about: "Noughts and crosses on any board: m columns, n rows, k in line.",
    usage: "mnk:M,N,K[,rule=strong|weak|misere] (columns, rows, stones in line; up to 225 cells)",
    aliases: &[("ttt", "mnk:3,3,3"), ("tictactoe", "mnk:3,3,3"), ("gomoku", "mnk:15,15,5")],
    examples: &[
        "mnk:3,3,3",
        "mnk:4,4,4",
        "mnk:5,5,4",
        "mnk:5,5,4,rule=weak",
        "mnk:3,3,3,rule=misere",
        "mnk:7,7,5",
        "mnk:8,8,5",
        "mnk:16,8,5",
    ],
    size: Some(SizeForm::ColumnsThenRows),
    small: &[
        "mnk:1,1,1",
        "mnk:3,3,3",
        "mnk:3,3,3,rule=weak",
        "mnk:3,3,3,rule=misere",
        "mnk:2,2,3",
        "mnk:2,4,2",
        "mnk:5,2,3",
        "mnk:5,2,3,rule=weak",
        "mnk:5,2,2,rule=misere",
        "mnk:9,1,3",
    ],
    largest: &["mnk:15,15,5", "mnk:225,1,5", "mnk:15,15,5,rule=weak", "mnk:15,15,5,rule=misere"],
    for_newcomers: true,
    import: import::import,
    rules: include_str!("rules.md"),
    known: include_str!("known.toml"),
    perft: include_str!("perft.txt"),
    playthrough: include_str!("playthrough.txt"),
    ..Family::NEW
};

/// The most cells a board can have.
pub const MOST_CELLS: usize = 225;

/// What it means to complete a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Who completes a line wins.
    Strong,
    /// Only the first player can win; without a win he loses.
    Weak,
    /// Who completes a line loses.
    Misere,
}

impl Rule {
    /// Its word in specs.
    #[must_use]
    pub const fn word(self) -> &'static str {
        ["strong", "weak", "misere"][self as usize]
    }
}

/// Make the game of a spec, with the smallest boards that hold it.
///
/// # Errors
/// If the parameters are wrong.
pub fn make<V: Visitor>(spec: &Spec, visitor: V) -> Result<V::Output, Error> {
    Ok(match of_spec(spec)? {
        AnyMnk::Small(game) => visitor.visit(game),
        AnyMnk::Middle(game) => visitor.visit(game),
        AnyMnk::Large(game) => visitor.visit(game),
    })
}

/// A game by the words a set of its cells takes.
#[derive(Clone, Debug)]
pub enum AnyMnk {
    /// At most 63 cells.
    Small(Mnk<u64>),
    /// At most 127 cells.
    Middle(Mnk<u128>),
    /// Up to 15x15.
    Large(Mnk<Wide>),
}

/// The game of a spec, as its own type.
///
/// # Errors
/// If the parameters are wrong.
pub fn of_spec(spec: &Spec) -> Result<AnyMnk, Error> {
    spec.only(3, &["rule"], FAMILY.usage)?;
    let (m, n, k) = if spec.positional().is_empty() {
        (3, 3, 3)
    } else {
        (
            spec.number(0, "the number of columns", 1..=MOST_CELLS)?,
            spec.number(1, "the number of rows", 1..=MOST_CELLS)?,
            spec.number(2, "the length of a line", 1..=MOST_CELLS)?,
        )
    };
    if m * n > MOST_CELLS {
        return Err(Error::spec(
            format!("a board of {m} columns and {n} rows has {} cells", m * n),
            format!("at most {MOST_CELLS} cells are possible, such as mnk:15,15,5"),
        ));
    }
    let rule = match spec.named("rule").unwrap_or("strong") {
        "strong" => Rule::Strong,
        "weak" => Rule::Weak,
        "misere" => Rule::Misere,
        other => {
            let hint =
                "rule=strong (completing a line wins), rule=weak (Maker-Breaker) or rule=misere (it loses)";
            return Err(Error::spec(format!("there is no rule '{other}'"), hint));
        }
    };
    Ok(match m * n {
        ..=63 => AnyMnk::Small(Mnk::new(m, n, k, rule)),
        64..=127 => AnyMnk::Middle(Mnk::new(m, n, k, rule)),
        _ => AnyMnk::Large(Mnk::new(m, n, k, rule)),
    })
}

#[cfg(test)]
mod tests {
    use ludex_core::Playable;

    use super::*;

    struct Read<'a>(&'a str);
    impl Visitor for Read<'_> {
        type Output = Result<(String, String), Error>;
        fn visit<G: Playable>(self, game: G) -> Self::Output {
            let p = game.parse_position(self.0)?;
            Ok((game.spec(), game.position_text(&p)))
        }
    }

    fn read(spec: &str, position: &str) -> Result<(String, String), Error> {
        make(&spec.parse().unwrap(), Read(position)).and_then(|r| r)
    }

    #[test]
    fn canonical_specs() {
        for (given, canonical) in [
            ("mnk", "mnk:3,3,3"),
            ("mnk:5,5,4,rule=strong", "mnk:5,5,4"),
            ("mnk:8,4,4,rule=weak", "mnk:8,4,4,rule=weak"),
            ("mnk:15,15,5,rule=misere", "mnk:15,15,5,rule=misere"),
            ("mnk:3,3,99", "mnk:3,3,99"),
        ] {
            assert_eq!(read(given, "moves:").unwrap().0, canonical);
        }
    }

    #[test]
    fn bad_specs_are_refused() {
        for (spec, says) in [
            ("mnk:0,3,3", "columns cannot be 0"),
            ("mnk:3,0,3", "rows cannot be 0"),
            ("mnk:3,3,0", "line cannot be 0"),
            ("mnk:16,15,5", "240 cells"),
            ("mnk:226,1,1", "columns cannot be 226"),
            ("mnk:3,3", "lacks the length of a line"),
            ("mnk:3,3,3,3", "too many"),
            ("mnk:a,3,3", "'a' is not a number"),
            ("mnk:3,3,3,rule=weird", "no rule 'weird'"),
            ("mnk:3,3,3,size=4", "no parameter 'size'"),
        ] {
            let error = read(spec, "moves:").unwrap_err();
            assert_eq!(error.code.word(), "bad_spec");
            assert!(error.message.contains(says), "{spec}: {}", error.message);
            assert!(!error.hint.is_empty());
        }
    }

    #[test]
    fn bad_positions_are_refused() {
        for (spec, position, says) in [
            ("mnk:3,3,3", ".../...", "2 rows"),
            ("mnk:3,3,3", ".../.../....", "row 1 has 4 cells"),
            ("mnk:3,3,3", ".../.z./...", "'z'"),
            ("mnk:3,3,3", "xxx/.../...", "3 x and 0 o"),
            ("mnk:3,3,3", "oo./x../...", "1 x and 2 o"),
            ("mnk:3,3,3", "xxx/ooo/...", "both sides have a line"),
            ("mnk:3,3,3", "xxx/oo./o..", "the game was over before"),
            ("mnk:3,3,3", "ooo/xx./xx.", "the game was over before"),
            ("mnk:5,3,3", "xxx.o/oo.oo/..xxx", "no single stone"),
            ("mnk:3,3,3,rule=misere", "xxx/ooo/...", "both sides have a line"),
            ("mnk:3,3,3,rule=weak", "xxx/oo./o..", "the game was over before"),
            ("mnk:3,3,3", "x../.../... x", "second to move"),
            ("mnk:3,3,3", "x../.../... y", "'y' is not a side"),
            ("mnk:3,3,3", "moves:a1,a1", "a1"),
            ("mnk:3,3,3", "moves:a4", "a4"),
        ] {
            let error = read(spec, position).unwrap_err();
            assert!(error.message.contains(says), "{spec} {position}: {}", error.message);
            assert!(!error.hint.is_empty());
        }
        assert_eq!(read("mnk:3,3,3", "X../.O./... First").unwrap().1, "x../.o./...");
        assert_eq!(
            read("mnk:3,3,3,rule=weak", "ooo/xx./x.. breaker").unwrap_err().code.word(),
            "bad_position"
        );
        assert_eq!(read("mnk:3,3,3,rule=weak", "ooo/xx./x.. maker").unwrap().1, "ooo/xx./x..");
    }
}
