//! `collapsi puzzle`, `census` and `first-moves`, and Collapsi's part of `bench`.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    time::{SystemTime, UNIX_EPOCH},
};

use indicatif::HumanCount;
use ludex_core::{Error, ErrorCode, Notation as _};
use ludex_farm::{At, Chore};
use ludex_studies::collapsi::{self, Collapsi as Game, Puzzle, first_moves, measure, rules};
use serde_json::Value;

use crate::{
    bench::Beside,
    chores,
    context::Context,
    exit::{Done, Exit, Failure},
    objects::{
        BenchDeals, Census, CensusOfDistance, CensusOfPlies, DealPuzzle, DealsOfMoves, DealsOfWinning,
        FirstMoves, Line,
    },
    output::{count, json_line, time},
};

/// The puzzle of a number.
fn found(game: &Game, number: u64, plies: Option<u32>) -> Result<Puzzle, Error> {
    if let Some(n) = plies.filter(|n| ![7, 9, 11, 13].contains(n)) {
        let message = format!("no deal is won in {n} plies");
        return Err(Error::new(ErrorCode::BadPlies, message, "7 (rare), 9, 11 or 13 plies"));
    }
    collapsi::puzzle(game, number, plies).ok_or_else(|| {
        Error::new(
            ErrorCode::NoPuzzle,
            "no deal in a million is such a puzzle",
            "wins in 7 plies are rare: take 9, 11 or 13",
        )
    })
}

/// A page of puzzles.
pub fn sheet(out: &mut impl Write, number: u64, plies: Option<u32>, count: u64) -> Done {
    let game = Game::new(4, false);
    let numbers = (0..count).map(|i| number.wrapping_add(i));
    let all: Result<Vec<_>, Error> = numbers.map(|n| Ok((n, found(&game, n, plies)?))).collect();
    write!(out, "{}", collapsi::sheet(&game, &all?, "Collapsi puzzles"))?;
    Ok(Exit::Answered)
}

/// One puzzle.
pub fn puzzle(context: &Context, out: &mut impl Write, number: u64, plies: Option<u32>, tell: bool) -> Done {
    let Puzzle { seed, deal, answer, plies } = found(&Game::new(4, false), number, plies)?;
    if context.json {
        let game = format!("collapsi:{deal}");
        json_line(out, &Line::Puzzle(DealPuzzle { number, seed, game, deal, plies, answer }))?;
        return Ok(Exit::Answered);
    }
    writeln!(out, "Puzzle {number}: X to move. One move wins, in {plies} plies.")?;
    write!(out, "{}", context.open("collapsi")?.picture(&deal)?)?;
    writeln!(out, "{deal}")?;
    if tell {
        writeln!(out, "answer {answer}")?;
    } else {
        writeln!(out, "ludex analyze collapsi {deal} tells the answer")?;
    }
    Ok(Exit::Answered)
}

/// Classes of one part on a farm.
const PART: usize = 2_000;

/// What a part comes to: classes, deals, deals by the number of winning first moves and of all.
type Counts = (u64, u64, BTreeMap<usize, u64>, BTreeMap<usize, u64>);

/// Winning first moves, as a chore: the order is which of the classes are looked at, a part from which class to which.
#[derive(Debug)]
pub struct Classes;

impl Chore for Classes {
    fn name(&self) -> &'static str {
        "first-moves"
    }

    fn part(&self, at: &At<'_>, order: &Value, part: &Value) -> Result<Option<Value>, Error> {
        let every: usize = chores::read(order, "an order")?;
        let (from, to): (usize, usize) = chores::read(part, "a part")?;
        let game = rules(&at.game.spec().parse()?)?;
        if from > to || to > collapsi::classes(&game).end {
            return Err(Error::new(ErrorCode::Damaged, "there are no such classes of deals", ""));
        }
        let collapsi::FirstMoves { classes, deals, by_winning, by_moves } =
            first_moves(&game, from..to, every, &at.terms.cancel);
        let counts: Counts = (classes, deals, by_winning, by_moves);
        Ok((!at.terms.cancel.is_cancelled()).then(|| serde_json::to_value(counts).ok()).flatten())
    }
}

/// How many deals have how many winning first moves.
pub fn winning_first_moves(
    context: &Context,
    out: &mut impl Write,
    (spec, every): (&str, u64),
    farm: Option<&str>,
) -> Done {
    let game = rules(&spec.parse()?)?;
    let cancel = context.cancel()?;
    let step = usize::try_from(every).unwrap_or(usize::MAX);
    let all = collapsi::classes(&game);
    let found = match farm {
        Some(url) => {
            let part = PART.saturating_mul(step);
            let parts: Vec<(usize, usize)> = all
                .clone()
                .step_by(part)
                .map(|from| (from, from.saturating_add(part).min(all.end)))
                .collect();
            let found: Vec<Counts> = chores::done(context, url, &Classes, &game.spec(), &step, &parts)?;
            found.into_iter().fold(
                collapsi::FirstMoves::default(),
                |sum, (classes, deals, by_winning, by_moves)| {
                    sum.and(&collapsi::FirstMoves { classes, deals, by_winning, by_moves })
                },
            )
        }
        None => first_moves(&game, all, step, &cancel),
    };
    if context.json {
        let winning = found.by_winning.iter();
        let moves = found.by_moves.iter();
        let object = FirstMoves {
            game: spec.to_owned(),
            every,
            classes: found.classes,
            deals: found.deals,
            by_winning: winning.map(|(&winning, &deals)| DealsOfWinning { winning, deals }).collect(),
            by_moves: moves.map(|(&moves, &deals)| DealsOfMoves { moves, deals }).collect(),
        };
        json_line(out, &Line::FirstMoves(object))?;
    } else {
        let (deals, classes) = (HumanCount(found.deals), HumanCount(found.classes));
        let part = if every == 1 { String::new() } else { format!(", one class in {every}") };
        writeln!(out, "{spec}: {deals} deals of {classes} classes{part}")?;
        for (title, counts) in [("winning", &found.by_winning), ("moves", &found.by_moves)] {
            writeln!(out, "{title:>7} {:>14} {:>8}", "deals", "%")?;
            for (n, deals) in counts {
                let share = 100.0 * *deals as f64 / found.deals.max(1) as f64;
                writeln!(out, "{n:>7} {:>14} {share:>8.2}", count(*deals))?;
            }
        }
    }
    Ok(if cancel.is_cancelled() { Exit::Unanswered } else { Exit::Answered })
}

/// A date as a number, such as 20261115.
pub fn day_number(date: &str) -> Result<u64, Error> {
    let bad =
        || Error::new(ErrorCode::BadDate, format!("'{date}' is not a date"), "a date such as 2026-11-15");
    let parts: Vec<u64> = date.split('-').map(|p| p.parse().map_err(|_| bad())).collect::<Result<_, _>>()?;
    match parts[..] {
        [year, month @ 1..=12, day @ 1..=31] => Ok(year * 10_000 + month * 100 + day),
        _ => Err(bad()),
    }
}

/// Today's date as a number, in universal time.
pub fn today() -> u64 {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs() / 86_400);
    // Days to a civil date (Hinnant 2013), with years that begin in March.
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + u64::from(month <= 2)) * 10_000 + month * 100 + day
}

/// The census for programs.
pub fn object(census: &collapsi::Census) -> Census {
    let plies = census.by_plies.iter();
    let distances = census.by_distance.iter();
    Census {
        game: census.game.clone(),
        deals: census.deals,
        classes: census.classes,
        won: census.won,
        by_plies: plies.map(|(&plies, &(deals, classes))| CensusOfPlies { plies, deals, classes }).collect(),
        by_distance: distances
            .map(|(&distance, &(deals, won))| CensusOfDistance { distance, deals, won })
            .collect(),
    }
}

/// The census for people.
pub fn print_census(out: &mut impl Write, census: &Census) -> io::Result<()> {
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    writeln!(
        out,
        "{}: {} deals with X on a given cell and to move, {} classes; X wins {} ({:.2} %)",
        census.game,
        HumanCount(census.deals),
        HumanCount(census.classes),
        HumanCount(census.won),
        share(census.won, census.deals)
    )?;
    writeln!(out, "{:>5} {:>8} {:>14} {:>8} {:>12}", "plies", "winner", "deals", "%", "classes")?;
    for CensusOfPlies { plies, deals, classes } in &census.by_plies {
        let winner = if plies % 2 == 1 { "X" } else { "O" };
        let percent = share(*deals, census.deals);
        writeln!(out, "{plies:>5} {winner:>8} {:>14} {percent:>8.3} {:>12}", count(*deals), count(*classes))?;
    }
    writeln!(out, "{:>5} {:>14} {:>14} {:>8}", "apart", "deals", "X wins", "%")?;
    for CensusOfDistance { distance, deals, won } in &census.by_distance {
        let percent = share(*won, *deals);
        writeln!(out, "{distance:>5} {:>14} {:>14} {percent:>8.2}", count(*deals), count(*won))?;
    }
    Ok(())
}

/// Collapsi's part of `bench`. Its nodes are not part of the signature.
pub fn bench(context: &Context, out: &mut dyn Write, _: &[Beside]) -> Result<u64, Failure> {
    for row in measure(&context.cancel()?)? {
        let rate = row.deals as f64 / row.seconds.max(1e-9);
        let classes_seconds = row.classes_seconds();
        if context.json {
            let object = BenchDeals {
                case: row.case,
                deals: row.deals,
                won: row.won,
                nodes: row.nodes,
                seconds: row.seconds,
                rate: rate.round(),
                classes_seconds,
            };
            json_line(out, &Line::BenchDeals(object))?;
            continue;
        }
        let each = row.seconds / row.deals.max(1) as f64;
        let each = if each < 1e-5 { format!("{:.2} µs", each * 1e6) } else { time(each) };
        writeln!(
            out,
            "collapsi {:<28} {:>7} won {:>12} nodes {:>10} {:>9} deals/s, {each} each, all classes {}",
            row.case,
            row.won,
            count(row.nodes),
            time(row.seconds),
            count(rate as u64),
            time(classes_seconds)
        )?;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(day_number("2026-11-15").expect("a date"), 20_261_115);
        assert!(day_number("2026-13-01").is_err() && day_number("today").is_err());
        assert!(today() > 20_240_000);
    }
}
