//! Every type of game with its study: here the searches are compiled for them.

use ludex_core::{Error, Notation, Spec};
use ludex_games::{
    CellSet, collapsi,
    connect4::{self, AnyConnect4, Connect4},
    hex::{self, AnyHex, Hex},
    hypergraph::Wide,
    mnk::{self, AnyMnk, Mnk},
    nex::{self, AnyNex, Nex},
    positional::{self, AnyPositional, Positional},
    registry,
    seven::{self, AnySeven},
    template,
};
use ludex_judge::{NoStudy, Study};

use crate::{
    collapsi::CollapsiStudy,
    connect4::{Connect4Study, StandardStudy},
    mnk::InTurns,
    nex::NexStudy,
};

/// Something that can be done with any game and its study.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Do it.
    fn visit<G: Notation>(self, game: G, study: Box<dyn Study<G>>) -> Self::Output;
}

macro_rules! types {
    ($($name:ident: $game:ty,)*) => {
        /// A game of the standard list with its study, as its own type.
        #[derive(Debug)]
        pub enum Studied {
            $(#[doc = concat!("A `", stringify!($game), "`.")]
            $name($game, Box<dyn Study<$game>>),)*
        }

        impl Studied {
            /// Show it to a visitor.
            pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
                match self {
                    $(Self::$name(game, study) => visitor.visit(game, study),)*
                }
            }
        }
    };
}

types! {
    Connect4Word: Connect4<connect4::Sized<u64>>,
    Connect4TwoWords: Connect4<connect4::Sized<u128>>,
    Collapsi: collapsi::Collapsi,
    MnkSmall: Mnk<u64>,
    MnkMiddle: Mnk<u128>,
    MnkLarge: Mnk<Wide>,
    NexSmall: Nex<1>,
    NexMiddle: Nex<3>,
    NexLarge: Nex<6>,
    HexSmall: Hex<1>,
    HexLarge: Hex<6>,
    PositionalSmall: Positional<u64, 3>,
    PositionalMiddle: Positional<u128, 5>,
    PositionalLarge: Positional<CellSet<6>, 13>,
    Seven: seven::Seven,
    SevenWide: seven::WideSeven,
    Heap: template::Heap,
}

/// The game of a spec with its study.
///
/// # Errors
/// If there is no such game, or its parameters are wrong.
pub fn studied(spec: &Spec) -> Result<Studied, Error> {
    let name = registry::family(&spec.name)?.name;
    Ok(match name {
        "connect4" => match connect4::of_spec(spec)? {
            AnyConnect4::Word(game) if game.shape == connect4::Sized::STANDARD => {
                Studied::Connect4Word(game, Box::new(StandardStudy::new(game)))
            }
            AnyConnect4::Word(game) => Studied::Connect4Word(game, Box::new(Connect4Study::new(game))),
            AnyConnect4::TwoWords(game) => {
                Studied::Connect4TwoWords(game, Box::new(Connect4Study::new(game)))
            }
        },
        "collapsi" => Studied::Collapsi(collapsi::game(spec)?, Box::new(CollapsiStudy)),
        "mnk" => match mnk::of_spec(spec)? {
            AnyMnk::Small(game) => Studied::MnkSmall(game, Box::new(InTurns)),
            AnyMnk::Middle(game) => Studied::MnkMiddle(game, Box::new(InTurns)),
            AnyMnk::Large(game) => Studied::MnkLarge(game, Box::new(InTurns)),
        },
        "nex" => match nex::of_spec(spec)? {
            AnyNex::Small(game) => Studied::NexSmall(game, Box::new(NexStudy)),
            AnyNex::Middle(game) => Studied::NexMiddle(game, Box::new(NexStudy)),
            AnyNex::Large(game) => Studied::NexLarge(game, Box::new(NexStudy)),
        },
        "hex" => match hex::of_spec(spec)? {
            AnyHex::Small(game) => Studied::HexSmall(game, Box::new(NoStudy)),
            AnyHex::Large(game) => Studied::HexLarge(game, Box::new(NoStudy)),
        },
        "positional" => match positional::of_spec(spec)? {
            AnyPositional::Small(game) => Studied::PositionalSmall(game, Box::new(NoStudy)),
            AnyPositional::Middle(game) => Studied::PositionalMiddle(game, Box::new(NoStudy)),
            AnyPositional::Large(game) => Studied::PositionalLarge(game, Box::new(NoStudy)),
        },
        "seven" => match seven::any(spec)? {
            AnySeven::Word(game) => Studied::Seven(game, Box::new(NoStudy)),
            AnySeven::TwoWords(game) => Studied::SevenWide(game, Box::new(NoStudy)),
        },
        "heap" => Studied::Heap(template::of_spec(spec)?, Box::new(NoStudy)),
        name => {
            let message = format!("the game '{name}' is listed and has no type here");
            return Err(Error::new(ludex_core::ErrorCode::Internal, message, "please report this"));
        }
    })
}
