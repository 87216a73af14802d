//! `seven soak`: every rule against minimax, here or in parts on a farm.

use std::io::Write;

use indicatif::HumanCount;
use ludex_core::{Error, ErrorCode};
use ludex_farm::{At, Chore};
use ludex_studies::seven;
use serde_json::Value;

use crate::{
    chores,
    context::Context,
    exit::{Done, Exit},
    objects::{Line, Soak},
    output::json_line,
    progress::Bar,
};

/// What a farm calls the game of a soak, whose boards are of all sizes up to this one.
const BOARD: &str = "seven:9";

/// Positions of one part of a soak on a farm.
const PART: u64 = 20_000;

/// A soak, as a chore: the order is the most empty cells, a part how many positions and their seed.
#[derive(Debug)]
pub struct Soaks;

impl Chore for Soaks {
    fn name(&self) -> &'static str {
        "soak"
    }

    fn part(&self, at: &At<'_>, order: &Value, part: &Value) -> Result<Option<Value>, Error> {
        let cells: u8 = chores::read(order, "an order")?;
        let (positions, seed): (u64, u64) = chores::read(part, "a part")?;
        if !(4..=20).contains(&cells) {
            return Err(Error::new(ErrorCode::Damaged, "a soak of the queue has no such boards", ""));
        }
        let soaked = seven::soak(positions, cells.into(), seed, |_| !at.terms.cancel.is_cancelled());
        if at.terms.cancel.is_cancelled() {
            return Ok(None);
        }
        let soaked = soaked.map(|seven::Soaked { positions, seen, made, listed, empties }| Soak {
            positions,
            seen,
            made,
            listed,
            empties,
        });
        Ok(serde_json::to_value(soaked).ok())
    }
}

/// Have a soak done by a farm, with seeds that follow each other.
fn elsewhere(
    context: &Context,
    url: &str,
    (positions, cells, seed): (u64, u8, u64),
) -> Result<Result<seven::Soaked, String>, Error> {
    let parts: Vec<(u64, u64)> = (0..positions.div_ceil(PART))
        .map(|i| (PART.min(positions - i * PART), seed.wrapping_add(i)))
        .collect();
    let soaked: Vec<Result<Soak, String>> = chores::done(context, url, &Soaks, BOARD, &cells, &parts)?;
    Ok(soaked.into_iter().try_fold(seven::Soaked::default(), |sum, part| {
        let part = part?;
        Ok(seven::Soaked {
            positions: sum.positions + part.positions,
            seen: sum.seen + part.seen,
            made: sum.made + part.made,
            listed: sum.listed + part.listed,
            empties: sum.empties + part.empties,
        })
    }))
}

/// Soak the rules, here or on a farm.
pub fn soak(
    context: &Context,
    out: &mut impl Write,
    (positions, cells, seed): (u64, u8, u64),
    farm: Option<&str>,
) -> Done {
    let cancel = context.cancel()?;
    let bar = Bar::counting(positions, "positions");
    let go_on = |done| {
        bar.count(done, positions);
        !cancel.is_cancelled()
    };
    let soaked = match farm {
        Some(url) => elsewhere(context, url, (positions, cells, seed))?,
        None => seven::soak(positions, cells.into(), seed, go_on),
    };
    bar.clear();
    match soaked {
        Ok(done) if context.json => {
            let seven::Soaked { positions, seen, made, listed, empties } = done;
            json_line(out, &Line::Soak(Soak { positions, seen, made, listed, empties }))?;
        }
        Ok(done) => writeln!(
            out,
            "{} positions, no rule wrong; {} decided without search ({} for Maker), elsewhere {} of {} moves listed",
            HumanCount(done.positions),
            HumanCount(done.seen),
            HumanCount(done.made),
            HumanCount(done.listed),
            HumanCount(done.empties)
        )?,
        Err(fault) => {
            writeln!(out, "a rule is wrong: {fault}")?;
            return Ok(Exit::CheckFailed);
        }
    }
    Ok(if cancel.is_cancelled() { Exit::Unanswered } else { Exit::Answered })
}
