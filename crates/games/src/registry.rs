//! The list of the games. (Their types are listed once more where the searches are compiled for them, in `ludex-studies`.)
//!
//! A game's folder offers a [`Family`] (what the game is, for lists and tests) and a function `make` that reads the
//! parameters of a spec and hands the game to a [`Visitor`]. That way a family may choose its representation by size
//! (64-bit boards where they fit), and everything above works on the concrete type, with static dispatch.

pub use ludex_core::{Error, Family, Playable, Spec};

/// Something that can be done with any game.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Do it.
    fn visit<G: Playable>(self, game: G) -> Self::Output;
}

macro_rules! games {
    ($($module:ident),* $(,)?) => {
        /// All families, in the order in which they are listed to people.
        pub const FAMILIES: &[&Family] = &[$(&crate::$module::FAMILY),*];

        /// Make the game of a spec and show it to a visitor.
        ///
        /// # Errors
        /// If there is no such game, or its parameters are wrong.
        pub fn visit<V: Visitor>(spec: &Spec, visitor: V) -> Result<V::Output, Error> {
            $(if spec.name == crate::$module::FAMILY.name {
                return crate::$module::make(spec, visitor);
            })*
            Err(unknown(&spec.name))
        }
    };
}

games![connect4, collapsi, mnk, nex, hex, positional, seven, template];

/// The family of a name.
///
/// # Errors
/// If there is none.
pub fn family(name: &str) -> Result<&'static Family, Error> {
    FAMILIES.iter().find(|f| f.name == name).copied().ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Error {
    let names: Vec<_> = FAMILIES.iter().map(|f| f.name).collect();
    Error::spec(format!("there is no game '{name}'"), format!("the games are {}", names.join(", ")))
}
