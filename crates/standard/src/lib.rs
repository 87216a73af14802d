//! The standard list of games, each hosted with its study.
//!
//! The judge is compiled here for every type of game, and in [`ludex_studies`] the searches are: what is hot and what is not are two crates,
//! so that each is optimised as it needs to be and both are compiled side by side.
//!
//! ```
//! use ludex_judge::{Question, Registry, Terms};
//! use ludex_standard::Standard as _;
//!
//! let game = Registry::standard().open("c4").unwrap();
//! assert_eq!(game.title(), "Connect Four 7x6");
//! let analysis = game.analyze(&Question::default(), &Terms::default()).unwrap();
//! assert_eq!(analysis.verdict.best, ["4"], "from the book, at once");
//! ```
#![forbid(unsafe_code)]

use ludex_core::{Error, Family, Notation};
use ludex_games::registry::FAMILIES;
use ludex_judge::{AnyGame, Registry, Study, host_studied};
use ludex_studies::{Visitor, studied};

/// The standard registry.
pub trait Standard {
    /// All games of this project, in the order in which they are listed to people.
    fn standard() -> Self;
}

impl Standard for Registry {
    fn standard() -> Self {
        FAMILIES.iter().fold(Self::new(), |all, &family| {
            all.with_hosted(family, move |spec| Ok(studied(spec)?.visit(Host(family))))
        })
    }
}

/// Hosts a game.
struct Host(&'static Family);

impl Visitor for Host {
    type Output = Box<dyn AnyGame>;

    fn visit<G: Notation>(self, game: G, study: Box<dyn Study<G>>) -> Self::Output {
        host_studied(game, self.0, study)
    }
}

/// Make the game of a spec from the standard list.
///
/// # Errors
/// If there is no such game, or its parameters are wrong.
pub fn open(spec: &str) -> Result<Box<dyn AnyGame>, Error> {
    Registry::standard().open(spec)
}
