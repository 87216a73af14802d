//! What the games of Ludex have beyond rules and knowledge, one folder per game, and the standard list of games.
//!
//! A game's study tells the judge about its own solver, the tables and books that come with the program, and how its
//! opponent sees a position ([`Study`](ludex_judge::Study)); what its own verbs ask (records, papers, measurements) is here
//! too. Games without a folder have nothing to add.
//!
//! ```
//! use ludex_judge::{Question, Registry, Terms};
//! use ludex_studies::Standard as _;
//!
//! let game = Registry::standard().open("c4").unwrap();
//! assert_eq!(game.title(), "Connect Four 7x6");
//! let analysis = game.analyze(&Question::default(), &Terms::default()).unwrap();
//! assert_eq!(analysis.verdict.best, ["4"], "from the book, at once");
//! ```
#![forbid(unsafe_code)]

pub mod collapsi;
pub mod connect4;
pub mod mnk;
pub mod nex;
pub mod seven;

use ludex_core::{Error, Family, Playable};
use ludex_games::registry::{self, Visitor};
use ludex_judge::{AnyGame, Registry, host};

/// The standard registry.
pub trait Standard {
    /// All games of this project, in the order in which they are listed to people.
    fn standard() -> Self;
}

impl Standard for Registry {
    fn standard() -> Self {
        registry::FAMILIES.iter().fold(Self::new(), |all, &family| match family.name {
            "collapsi" => all.with_hosted(family, collapsi::open),
            "connect4" => all.with_hosted(family, connect4::open),
            "mnk" => all.with_hosted(family, mnk::open),
            "nex" => all.with_hosted(family, nex::open),
            _ => all.with_hosted(family, move |spec| registry::visit(spec, Plain(family))),
        })
    }
}

/// Hosts a game that has no study.
struct Plain(&'static Family);

impl Visitor for Plain {
    type Output = Box<dyn AnyGame>;

    fn visit<G: Playable>(self, game: G) -> Self::Output {
        host(game, self.0)
    }
}

/// Make the game of a spec from the standard list.
///
/// # Errors
/// If there is no such game, or its parameters are wrong.
pub fn open(spec: &str) -> Result<Box<dyn AnyGame>, Error> {
    Registry::standard().open(spec)
}
