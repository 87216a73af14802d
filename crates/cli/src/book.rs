//! `book`: opening books, for any game.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use clap::{Args as ClapArgs, Subcommand};
use indicatif::HumanCount;
use ludex_core::{Error, ErrorCode, Goal, MIN_MEMORY, Outcome, Status, Value};
use ludex_farm::{At, Chore};
use ludex_judge::{
    Question,
    table::{self, BookOrder, Counted},
};
use serde_json::Value as Json;

use crate::{
    chores::{self, Through},
    context::Context,
    exit::{Done, Exit},
    objects::{self, Line},
    output::json_line,
    progress::Bar,
    units,
};

/// `book`.
#[derive(Debug, ClapArgs)]
pub struct Book {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Build a book, or go on with one
    Build {
        /// The game
        spec: String,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        #[command(flatten)]
        order: Order,
    },
    /// Write every position with its value, as comma-separated values or, with --json, as JSON lines
    Export {
        /// The book
        file: PathBuf,
        /// Only the first so many
        #[arg(long, value_name = "N", value_parser = units::count)]
        limit: Option<u64>,
    },
    /// What a book holds
    Stats {
        /// The book
        file: PathBuf,
    },
}

/// What a book is to cover, and what building it may take.
#[derive(Debug, ClapArgs)]
pub struct Order {
    /// Plies to cover
    #[arg(long, value_name = "PLIES")]
    pub depth: u32,
    /// Memory of the table
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "1GiB")]
    pub memory: u64,
    /// Threads, each on a position of its own
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    #[command(flatten)]
    pub through: Through,
}

/// Positions of one part on a farm: neighbours, which share what a search remembers.
const PART: usize = 64;

/// Values of positions, as a chore: the order is the memory of the searches, a part some positions.
#[derive(Debug)]
pub struct Values;

impl Chore for Values {
    fn name(&self) -> &'static str {
        "book"
    }

    fn part(&self, at: &At<'_>, order: &Json, part: &Json) -> Result<Option<Json>, Error> {
        let memory: u64 = chores::read(order, "an order")?;
        let texts: Vec<String> = chores::read(part, "a part")?;
        let mut question = Question { goal: Goal::Distance, book: false, ..Question::default() };
        question.budget.memory = memory.clamp(MIN_MEMORY, at.memory);
        let mut values = Vec::new();
        for text in texts {
            question.position = Some(text);
            let verdict = at.game.solve(&question, at.terms)?;
            match verdict.bounds.value() {
                Some(value) => values.push(value),
                None if verdict.status == Status::Cancelled => return Ok(None),
                None => {
                    let message = format!("{} was not solved", verdict.position);
                    return Err(Error::new(ErrorCode::Stopped, message, "give the workers more --memory"));
                }
            }
        }
        Ok(serde_json::to_value(values).ok())
    }
}

/// Do it.
pub fn book(context: &Context, book: &Book) -> Done {
    match &book.action {
        Action::Build { spec, out, order } => build(context, spec, out, order),
        Action::Export { file, limit } => {
            crate::table::export(&mut io::stdout().lock(), context, file, *limit)
        }
        Action::Stats { file } => print(context, &table::stats(file)?),
    }
}

/// Build a book.
pub fn build(context: &Context, spec: &str, file: &Path, order: &Order) -> Done {
    let bar = Bar::counting(0, "positions");
    let game = context.open(spec)?;
    let farm = |url: &str, texts: &[String]| -> Result<Vec<Value>, Error> {
        let parts: Vec<&[String]> = texts.chunks(PART).collect();
        let values: Vec<Vec<Value>> =
            chores::done(context, url, &Values, &game.spec(), &order.memory, &parts)?;
        Ok(values.into_iter().flatten().collect())
    };
    let farm = order.through.farm.as_deref().map(|url| move |texts: &[String]| farm(url, texts));
    let order = BookOrder {
        plies: order.depth,
        file,
        memory: order.memory,
        threads: order.threads,
        terms: &context.terms()?,
        progress: &|done, of| bar.count(done as u64, of as u64),
        elsewhere: farm.as_ref().map(|farm| farm as &table::Elsewhere<'_>),
    };
    let book = game.tables().build_book(&order)?;
    bar.clear();
    print(context, &table::count(&book)?)
}

/// Print what a book holds.
pub fn print(context: &Context, book: &Counted) -> Done {
    let Some(plies) = book.heading.plies else {
        let what = format!("this is a table of all of {}, and no opening book", book.heading.spec);
        return Err(Error::new(ErrorCode::NoBook, what, "'ludex table stats FILE' counts it").into());
    };
    let mut out = io::stdout().lock();
    let sum = |outcome| -> u64 {
        book.tallies.iter().filter(|(t, _)| t.outcome == Some(outcome)).map(|(_, n)| n).sum()
    };
    let [won, drawn, lost] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(sum);
    if context.json {
        let object = objects::Book {
            game: book.heading.spec.clone(),
            plies,
            positions: book.positions,
            won,
            drawn,
            lost,
            bytes: book.bytes,
            digest: book.digest.clone(),
        };
        json_line(&mut out, &Line::Book(object))?;
    } else {
        writeln!(
            out,
            "{}: {} positions of the first {plies} plies in {} bytes; for the side to move {} won, {} drawn, {} lost",
            book.heading.spec,
            HumanCount(book.positions),
            HumanCount(book.bytes),
            HumanCount(won),
            HumanCount(drawn),
            HumanCount(lost)
        )?;
    }
    Ok(Exit::Answered)
}
