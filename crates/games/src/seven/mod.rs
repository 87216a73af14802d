//! The Maker–Breaker game (4,n,7^tr): a board of 4 rows and n columns whose lines are what is left of seven in a row
//! when the plane is tiled by such boards.
//!
//! If Breaker wins it for some n, he can play it on every tile at once, and seven in a row on the infinite board is a
//! draw: open since the 1980s. Czifra, Csóka, Zombori, Makay, "Towards solving the 7-in-a-row game" (IEEE CoG 2021)
//! report that Maker wins for n up to 14. Maker wins as soon as a line is all his, Breaker as soon as he has a cell
//! in every line, so there is no draw.
//!
//! ```
//! use ludex_games::seven::{EdgeSet, Seven};
//!
//! let game = Seven::new(8, EdgeSet::Harness).unwrap();
//! let pot = game.potential(&game.start());
//! assert_eq!(pot.to_string(), "3.250000");
//! assert_eq!(game.lines().len(), 38);
//! ```
mod chance;
mod draw;
mod edges;
mod hints;
mod isomorphy;
mod mask;
mod notation;
mod position;
mod potential;
mod reference;
mod symmetry;

use ludex_core::{Error, Notation, Side, Spec};

use crate::registry::{Family, Visitor};

pub use chance::Logit;
pub use edges::EdgeSet;
pub use mask::TileMask;
pub use position::{Board, Cell, MAX_COLUMNS, MIN_COLUMNS, Seven, Tile, WideSeven};
pub use potential::{Histogram, Potential};
pub use reference::NaiveSeven;

/// What the registry says about it.
pub const FAMILY: Family = Family {
    name: "seven",
    title: "Seven in a row, tiled",
    about: "Maker wants a line of the 4xn tile of seven in a row, Breaker a cell in every line.",
    usage: "seven:N[,edges=paper|harness][,first=maker|breaker][,setup=disproof|BOARD] (N columns, 4 to 31; also alpha= and beta=, which guide the search)",
    examples: &["seven:8", "seven:7,edges=harness", "seven:8,first=breaker", "seven:7,setup=disproof"],
    small: &[
        "seven:4,setup=M..M/B.../..M./.B.B",
        "seven:4,edges=harness,first=breaker,setup=M..B/.M../..B./B..M",
        "seven:5,setup=M...M/BB..B/.M.M./BB..M",
        "seven:6,edges=harness,setup=MB.MBB/.MB.BM/B..M.B/BMM.M.",
        "seven:16,setup=.BBM.BBMBMMMMM../BBBM.BBMBMBB.BM./MMBMMBMMMB.MMBBB/MMMBMMMBBMBMBBBB",
    ],
    largest: &["seven:15", "seven:31", "seven:31,edges=harness,first=breaker"],
    rules: include_str!("rules.md"),
    known: include_str!("known.toml"),
    perft: include_str!("perft.txt"),
    playthrough: include_str!("playthrough.txt"),
    ..Family::NEW
};

/// Make the game of a spec.
///
/// # Errors
/// If the parameters are wrong.
pub fn make<V: Visitor>(spec: &Spec, visitor: V) -> Result<V::Output, Error> {
    Ok(match any(spec)? {
        AnySeven::Word(game) => visitor.visit(game),
        AnySeven::TwoWords(game) => visitor.visit(game),
    })
}

/// A game by the words a set of its cells takes.
#[derive(Clone, Debug)]
pub enum AnySeven {
    /// At most 15 columns.
    Word(Seven),
    /// As many as there may be.
    TwoWords(WideSeven),
}

/// The game of a spec, as its own type.
///
/// # Errors
/// If the parameters are wrong.
pub fn any(spec: &Spec) -> Result<AnySeven, Error> {
    Ok(if columns(spec, MAX_COLUMNS)? <= Seven::COLUMNS {
        AnySeven::Word(tile(spec)?)
    } else {
        AnySeven::TwoWords(tile(spec)?)
    })
}

/// The number of columns of a spec.
fn columns(spec: &Spec, most: usize) -> Result<usize, Error> {
    if spec.positional().is_empty() {
        return Ok(8);
    }
    spec.number(0, "the number of columns", MIN_COLUMNS..=most)
}

/// The game of a spec of at most 15 columns.
///
/// # Errors
/// If the parameters are wrong, or there are more columns.
pub fn of_spec(spec: &Spec) -> Result<Seven, Error> {
    tile(spec)
}

/// The game of a spec, such as `seven:8,edges=harness`, in a given width.
///
/// # Errors
/// If the parameters are wrong, or there are more columns than fit.
pub fn tile<M: TileMask>(spec: &Spec) -> Result<Tile<M>, Error> {
    spec.only(1, &["edges", "first", "setup", "alpha", "beta"], FAMILY.usage)?;
    let mut game = Tile::new(columns(spec, M::COLUMNS)?, spec.named("edges").unwrap_or("paper").parse()?)?;
    if let Some(word) = spec.named("first") {
        let first = game.parse_side(word)?;
        game = game.with_first(first);
    }
    if let Some(setup) = spec.named("setup") {
        let start = match setup {
            "disproof" => game.disproof_setup(),
            board => game.parse_board(board, None)?,
        };
        game = game.with_start(start);
    }
    let weight = |name: &str, usual: f32, least: f32| match spec.named(name) {
        None => Ok(usual),
        Some(text) => text.parse().ok().filter(|w| (least..=1e6).contains(w)).ok_or_else(|| {
            Error::spec(
                format!("{name} cannot be '{text}'"),
                format!("it is a number from {least} to 1000000; usually {usual}"),
            )
        }),
    };
    Ok(game.with_guess(weight("alpha", hints::ALPHA, 1.0)?, weight("beta", hints::BETA, 0.0)?))
}

impl<M: TileMask> Tile<M> {
    /// How many columns fit.
    pub const COLUMNS: usize = M::COLUMNS;

    /// The setup in which Breaker's win is looked for: Maker has (0,0) and (3,0), Breaker (1,0), Breaker moves.
    #[must_use]
    pub fn disproof_setup(&self) -> Board<M> {
        let mask = |r| Cell::at(r, 0).mask::<M>();
        Board { maker: mask(0) | mask(3), breaker: mask(1), side: Side::Second }
    }
}
