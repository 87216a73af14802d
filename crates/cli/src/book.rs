//! `book`: opening books, for any game.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use clap::{Args as ClapArgs, Subcommand};
use indicatif::HumanCount;
use ludex_core::{Error, ErrorCode, Outcome};
use ludex_judge::table::{self, BookOrder, Counted};

use crate::{
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
    let order = BookOrder {
        plies: order.depth,
        file,
        memory: order.memory,
        threads: order.threads,
        terms: &context.terms()?,
        progress: &|done, of| bar.count(done as u64, of as u64),
    };
    let book = context.open(spec)?.tables().build_book(&order)?;
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
