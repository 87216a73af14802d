//! Numbering all positions of a game, so that their values can be kept in plain arrays.
//!
//! A [`Numbering`] puts every position into a tier and gives it a number there, without gaps or nearly so. Every move
//! leads to an earlier tier, so that the tiers can be solved one after the other, each from the values of those
//! before it. Values are kept in one byte each, see [`Code`].

use crate::{Game, Outcome, Side, Value};

/// A value in one byte, in the order of values: 1 is lost, 128 a draw, 255 won; 0 is not known.
///
/// ```
/// use ludex_core::{Code, Value};
///
/// assert_eq!(Code::of(Value::win(5)).value(), Some(Value::win(5)));
/// assert!(Code::of(Value::win(5)) > Code::of(Value::win(7)));
/// // What a position is worth to who moved there.
/// assert_eq!(Code::of(Value::loss(4)).back(), Code::of(Value::win(5)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u8);

impl Code {
    /// Not known.
    pub const UNKNOWN: Self = Self(0);
    /// Nobody wins.
    pub const DRAW: Self = Self(128);
    /// Already lost.
    pub const LOST: Self = Self(1);
    /// Already won.
    pub const WON: Self = Self(255);
    /// Won with this move.
    pub const WIN_IN_ONE: Self = Self(254);
    /// Games that may last longer than this do not fit.
    pub const MAX_PLIES: u32 = 120;

    /// The code of an exact value of at most [`Code::MAX_PLIES`] plies.
    #[must_use]
    pub fn of(value: Value) -> Self {
        match (value.outcome(), value.plies()) {
            (Outcome::Draw, _) => Self::DRAW,
            (Outcome::Win, Some(plies)) => Self(255 - plies.min(126) as u8),
            (Outcome::Win, None) => Self(129),
            (Outcome::Loss, Some(plies)) => Self(1 + plies.min(125) as u8),
            (Outcome::Loss, None) => Self(127),
        }
    }

    /// The value, if it is known.
    #[must_use]
    pub const fn value(self) -> Option<Value> {
        match self.0 {
            0 => None,
            128 => Some(Value::DRAW),
            129 => Some(Value::SOME_WIN),
            127 => Some(Value::SOME_LOSS),
            wins @ 130.. => Some(Value::win(255 - wins as u32)),
            losses => Some(Value::loss(losses as u32 - 1)),
        }
    }

    /// The same value one ply earlier, for the side that moved here.
    #[inline]
    #[must_use]
    pub const fn back(self) -> Self {
        match self.0 {
            0 | 128 => self,
            wins @ 130.. => Self((257 - wins as u16) as u8),
            129 => Self(127),
            127 => Self(129),
            losses => Self(255 - losses),
        }
    }

    /// The same value one ply earlier, for the side that is to move here again.
    #[must_use]
    pub const fn later(self) -> Self {
        match self.0 {
            0 | 127..=129 => self,
            wins @ 130.. => Self(wins - 1),
            losses => Self(losses + 1),
        }
    }

    /// The outcome in two bits: 0 not known, 1 loss, 2 draw, 3 win.
    #[must_use]
    pub const fn class(self) -> u8 {
        match self.0 {
            0 => 0,
            128 => 2,
            129.. => 3,
            _ => 1,
        }
    }

    /// The code that says no more than two bits do.
    #[must_use]
    pub const fn of_class(class: u8) -> Self {
        Self([0, 127, 128, 129][(class & 3) as usize])
    }
}

/// A set of positions that are solved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// What its positions have in common, in a few words.
    pub name: String,
    /// How many numbers it has.
    pub len: u64,
    /// The tiers that moves lead to, all of them earlier.
    pub leads_to: Vec<usize>,
    /// Whose turn it is, if it is the same side's in all of them.
    pub side: Option<Side>,
}

impl Tier {
    /// Its name in a file, which also tells whose turn it is if that is the same in all its positions.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}{}", self.name, Self::turn(self.side))
    }

    /// The end of such a name.
    #[must_use]
    pub const fn turn(side: Option<Side>) -> &'static str {
        match side {
            Some(Side::First) => ", first to move",
            Some(Side::Second) => ", second to move",
            None => "",
        }
    }
}

/// Where a position is: its tier and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The tier.
    pub tier: usize,
    /// The number, below the tier's length.
    pub index: u64,
}

/// The values of the tiers that are solved, by tier; empty where they are not at hand.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// One slice of [`Code`]s for each tier.
    pub tiers: &'a [&'a [u8]],
}

impl Known<'_> {
    /// The code of a place.
    #[inline]
    #[must_use]
    pub fn code(&self, place: Place) -> Code {
        Code(self.tiers[place.tier][place.index as usize])
    }
}

/// A numbering of all positions of a game that can be reached from its start, and possibly of some others; or, for a
/// game that begins with a deal, of all its starts.
pub trait Numbering<G: Game>: Send + Sync {
    /// The tiers, in an order in which they can be solved.
    fn tiers(&self) -> &[Tier];

    /// Where a position is; `None` if it has no number, as positions set up by hand may.
    fn place(&self, p: &G::Position) -> Option<Place>;

    /// The position with a number.
    fn position(&self, place: Place) -> G::Position;

    /// Stretches of a tier are best cut at multiples of this.
    fn grain(&self, tier: usize) -> u64 {
        let _ = tier;
        4096
    }

    /// Bytes of working space that [`values`](Numbering::values) takes, for the memory estimate.
    fn workspace(&self) -> u64 {
        0
    }

    /// Write the codes of the positions of a tier from number `start` on, one for each element of `out`, given those
    /// of the tiers it leads to. A numbering may know a faster way than the moves one by one.
    fn values(&self, game: &G, tier: usize, start: u64, known: Known<'_>, out: &mut [u8]) {
        for (index, code) in (start..).zip(out) {
            *code = one_value(self, game, Place { tier, index }, known).0;
        }
    }

    /// Derive the code of one position again, for a check of a table. Where moves lead out of the numbering, this
    /// cannot go by the successors and must find another way than [`values`](Numbering::values) does.
    fn again(&self, game: &G, place: Place, known: Known<'_>) -> Code {
        one_value(self, game, place, known)
    }
}

/// The code of one position from those of its successors, by the rules of the game alone.
pub fn one_value<G: Game, N: Numbering<G> + ?Sized>(
    numbering: &N,
    game: &G,
    place: Place,
    known: Known<'_>,
) -> Code {
    let p = numbering.position(place);
    if let Some(outcome) = game.outcome(&p) {
        return Code::of(Value::ended(outcome));
    }
    let side = game.side(&p);
    let mut best = Code::UNKNOWN;
    game.each_move(&p, |m| {
        let child = game.play(&p, m);
        let code = numbering.place(&child).map_or(Code::UNKNOWN, |place| known.code(place));
        best = best.max(if game.side(&child) == side { code.later() } else { code.back() });
    });
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_values_in_their_order() {
        let mut values = vec![Value::DRAW];
        for plies in 0..=Code::MAX_PLIES {
            values.extend([Value::win(plies), Value::loss(plies)]);
        }
        for &a in &values {
            assert_eq!(Code::of(a).value(), Some(a));
            assert_eq!(Code::of(a).back().value(), Some(a.back()), "{a:?}");
            assert_eq!(Code::of(a).later().value(), Some(a.later()), "{a:?}");
            assert_eq!(Code::of_class(Code::of(a).class()).value().unwrap().outcome(), a.outcome());
            for &b in &values {
                assert_eq!(a < b, Code::of(a) < Code::of(b));
            }
        }
    }
}
