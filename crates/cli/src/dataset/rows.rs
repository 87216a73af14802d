//! A row of a dataset: from the numbers of the judge, to a line of JSON or CSV.

use std::fmt::Write as _;

use ludex_core::{Bounds, Outcome, Status, Value};
use ludex_judge::{Met, Rating, Ratings};
use sha2::{Digest as _, Sha256};

use crate::objects::{DatasetMove, DatasetOrder, DatasetRow, Line, Part};

/// The first line of a file of comma-separated values.
pub const HEADER: &str = "position,to_move,split,status,outcome,plies,score,difficulty,best,moves";

/// The part that a class belongs to: by chance, but always the same for one class and seed.
fn part(seed: u64, class: &[u8], share: f64) -> Part {
    let digest = Sha256::new().chain_update(seed.to_le_bytes()).chain_update(class).finalize();
    let high = digest.iter().take(4).fold(0u32, |high, byte| high << 8 | u32::from(*byte));
    if f64::from(high) < share * 4_294_967_296.0 { Part::Test } else { Part::Train }
}

/// The bounds, where they are all that is known.
fn bounds(order: &DatasetOrder, rating: &Rating) -> Option<Bounds> {
    let known = match order.goal.as_str() {
        "wdl" => rating.bounds.outcome().is_some(),
        _ => rating.bounds.value().is_some() || rating.bounds.outcome() == Some(Outcome::Draw),
    };
    (!known).then_some(rating.bounds)
}

/// The share of the moves that do not keep the outcome, in ten-thousandths.
fn difficulty(ratings: &Ratings) -> Option<f64> {
    let outcome = ratings.position.bounds.outcome()?;
    let kept = ratings
        .moves
        .iter()
        .try_fold(0u32, |kept, (_, rating)| Some(kept + u32::from(rating.bounds.outcome()? == outcome)))?;
    let all = ratings.moves.len();
    (all > 0).then(|| ((1.0 - f64::from(kept) / all as f64) * 1e4).round() / 1e4)
}

/// The row of a position.
fn row(order: &DatasetOrder, met: &Met, ratings: &Ratings) -> DatasetRow {
    let best = ratings.position.bounds.lo;
    let certain = ratings.status == Status::Solved || best >= Value::DRAW;
    let moves = ratings.moves.iter().map(|(text, rating)| DatasetMove {
        text: text.clone(),
        outcome: rating.bounds.outcome(),
        plies: rating.plies,
        bounds: bounds(order, rating),
        score: rating.score,
    });
    let best = ratings.moves.iter().filter(|(_, rating)| certain && rating.bounds.lo == best);
    DatasetRow {
        game: order.game.clone(),
        position: met.position.clone(),
        to_move: ratings.to_move,
        split: order.split.map(|share| part(order.seed, &met.class, share)),
        status: ratings.status,
        outcome: ratings.position.bounds.outcome(),
        plies: ratings.position.plies,
        bounds: bounds(order, &ratings.position),
        score: ratings.position.score,
        difficulty: difficulty(ratings),
        best: best.map(|(text, _)| text.clone()).collect(),
        moves: moves.collect(),
    }
}

/// The line of a position in the journal; none if the search was called off.
pub fn line(order: &DatasetOrder, met: &Met, ratings: &Ratings) -> Option<String> {
    if matches!(ratings.status, Status::Cancelled | Status::OutOfTime) {
        return None;
    }
    let row = Line::DatasetRow(Box::new(row(order, met, ratings)));
    let mut line = serde_json::to_string(&row).ok()?;
    line.push('\n');
    Some(line)
}

/// A row as comma-separated values. Best moves are joined by spaces; so are all moves, each with its value behind it:
/// `4=win:7:18`, `3=draw`, `2=loss..win:9` where only bounds are known.
pub fn csv(row: &DatasetRow) -> String {
    let number = |n: Option<i64>| n.map_or(String::new(), |n| n.to_string());
    let moves: Vec<String> = row
        .moves
        .iter()
        .map(|m| format!("{}={}", m.text, worth(m.outcome, m.plies, m.score, m.bounds)))
        .collect();
    let fields = [
        row.position.clone(),
        row.to_move.word().to_owned(),
        row.split.map_or("", Part::word).to_owned(),
        row.status.word().to_owned(),
        worth(row.outcome, None, None, row.bounds),
        number(row.plies.map(i64::from)),
        number(row.score.map(i64::from)),
        row.difficulty.map_or(String::new(), |share| share.to_string()),
        row.best.join(" "),
        moves.join(" "),
    ];
    let mut line = String::new();
    for (i, field) in fields.iter().enumerate() {
        if i > 0 {
            line.push(',');
        }
        push_field(&mut line, field);
    }
    line.push('\n');
    line
}

/// A field as RFC 4180 has it.
pub fn push_field(line: &mut String, field: &str) {
    if field.contains([',', '"', '\n', '\r']) {
        // Writing to a string does not fail.
        let _ = write!(line, "\"{}\"", field.replace('"', "\"\""));
    } else {
        line.push_str(field);
    }
}

fn worth(outcome: Option<Outcome>, plies: Option<u32>, score: Option<i32>, bounds: Option<Bounds>) -> String {
    match (bounds, outcome) {
        (Some(Bounds { lo, hi }), _) => format!("{}..{}", value(lo), value(hi)),
        (None, Some(outcome)) => match (plies, score) {
            (None, None) => outcome.word().to_owned(),
            (plies, None) => format!("{outcome}:{}", plies.unwrap_or(0)),
            (plies, Some(score)) => {
                format!("{outcome}:{}:{score}", plies.map_or(String::new(), |n| n.to_string()))
            }
        },
        (None, None) => String::new(),
    }
}

fn value(value: Value) -> String {
    match value.plies() {
        Some(plies) => format!("{}:{plies}", value.outcome()),
        None => value.outcome().to_string(),
    }
}
