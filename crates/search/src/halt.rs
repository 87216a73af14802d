//! Why a search ends without an answer.

use std::fmt::Debug;

use ludex_core::{Bounds, Contradiction, Stop};

/// It was told to stop, or it found two things that cannot both be true.
#[derive(Debug)]
pub(crate) enum Halt {
    Stopped(Stop),
    Contradicted(Box<Contradiction>),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<Box<Contradiction>> for Halt {
    fn from(found: Box<Contradiction>) -> Self {
        Self::Contradicted(found)
    }
}

/// What two sources say together of a position.
#[inline]
pub(crate) fn together<P: Debug>(
    p: &P,
    one: (&'static str, Bounds),
    other: (&'static str, Bounds),
) -> Result<Bounds, Box<Contradiction>> {
    one.1.and(other.1).ok_or_else(|| contradicted(p, one, other))
}

/// Out of the way of the search, and boxed: what never happens should cost nothing.
#[cold]
#[inline(never)]
pub(crate) fn contradicted<P: Debug>(
    p: &P,
    one: (&'static str, Bounds),
    other: (&'static str, Bounds),
) -> Box<Contradiction> {
    Box::new(Contradiction::new(format!("{p:?}"), one, other))
}
