//! `collapsi`: record files, puzzles, the census of all deals.

mod deals;
mod records;

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use clap::{Args as ClapArgs, FromArgMatches as _, Subcommand, ValueEnum};
use indicatif::HumanCount;
use ludex_core::{Error, ErrorCode};
use ludex_studies::collapsi::{Census, ON_A_PAGE, pack_table};

use super::{GameVerbs, read, verb};
use crate::{
    chores::Through,
    context::Context,
    exit::{Done, Exit, failed},
    objects::Line,
    output::json_line,
};

pub use deals::{Classes, print_census};
use records::{Exporting, Listing};

/// What Collapsi has of its own.
pub const VERBS: GameVerbs = GameVerbs {
    family: "collapsi",
    command: || verb::<Collapsi>("collapsi", "Collapsi: record files, puzzles, the census of all deals"),
    run: |context, matches| run(context, &read(matches)?),
    json: |matches| Collapsi::from_arg_matches(matches).is_ok_and(|collapsi| collapsi.json()),
    bench: Some(deals::bench),
    census: Some(|file| Ok(Census::of_table(file)?.map(|census| deals::object(&census)))),
};

/// `collapsi`.
#[derive(Debug, ClapArgs)]
struct Collapsi {
    #[command(subcommand)]
    action: Action,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Plot {
    Plies,
    Distance,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the records of a file of solved positions
    Records(Listing),
    /// Check a file of solved positions; exit 3 if anything is wrong
    Validate {
        /// The file
        file: PathBuf,
        /// Stop after this many records (default: all; zero keys are counted in the first 1000)
        first: Option<u64>,
        /// The index: records that it knows are solved again
        #[arg(long, value_name = "FILE")]
        index: Option<PathBuf>,
    },
    /// Solve deals and write their records
    Export(Exporting),
    /// A deal with exactly one winning first move
    Puzzle {
        /// The puzzle's number (default: today's date)
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
        /// The puzzle of a day, YYYY-MM-DD
        #[arg(long, value_name = "DATE", conflicts_with = "seed")]
        date: Option<String>,
        /// A win in this many plies
        #[arg(long, value_name = "N")]
        plies: Option<u32>,
        /// Tell the answer
        #[arg(long)]
        answer: bool,
        /// A page of this many puzzles to print, 1 to 12, as SVG
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=ON_A_PAGE))]
        sheet: Option<u64>,
    },
    /// Pack a table of all deals, three bits each, as it comes with the program
    Pack {
        /// The table, made by `ludex table build collapsi`
        table: PathBuf,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Who wins how many of all deals, and how soon
    Census {
        /// A table made by `ludex table build collapsi…` (default: the one in the program)
        #[arg(long, value_name = "FILE")]
        table: Option<PathBuf>,
        /// A plot, as SVG: by the number of plies, or by the distance between the start cards
        #[arg(long, value_enum, value_name = "PLOT", num_args = 0..=1, default_missing_value = "plies")]
        svg: Option<Plot>,
    },
    /// How many deals have how many winning first moves
    FirstMoves {
        /// The rules: collapsi, collapsi:joker=wild, collapsi:3x3 …
        #[arg(default_value = "collapsi")]
        spec: String,
        /// Look at one class of deals in N
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
        every: u64,
        #[command(flatten)]
        through: Through,
    },
}

impl Collapsi {
    /// Whether JSON is asked for by `--format json`.
    fn json(&self) -> bool {
        matches!(&self.action, Action::Records(listing) if listing.json())
    }
}

fn run(context: &Context, collapsi: &Collapsi) -> Done {
    let mut out = io::stdout().lock();
    match &collapsi.action {
        Action::Records(listing) => records::list(context, &mut out, listing),
        Action::Validate { file, first, index } => {
            records::validate(context, &mut out, file, *first, index.as_deref())
        }
        Action::Export(exporting) => records::export(&mut out, exporting),
        Action::Puzzle { seed, date, plies, answer, sheet } => {
            let number = match (seed, date) {
                (Some(seed), _) => *seed,
                (None, Some(date)) => deals::day_number(date)?,
                (None, None) => deals::today(),
            };
            match sheet {
                Some(count) => deals::sheet(&mut out, number, *plies, *count),
                None => deals::puzzle(context, &mut out, number, *plies, *answer),
            }
        }
        Action::Pack { table, out: file } => {
            let bytes = pack_table(table)?.ok_or_else(|| wrong_table(table, "4x4 deals in 7 to 14 plies"))?;
            fs::write(file, &bytes).map_err(failed(format!("cannot write {}", file.display())))?;
            writeln!(out, "{} bytes", HumanCount(bytes.len() as u64))?;
            Ok(Exit::Answered)
        }
        Action::Census { table, svg } => {
            let census = match table {
                None => Census::built_in(),
                Some(path) => Census::of_table(path)?.ok_or_else(|| wrong_table(path, "deals with plies"))?,
            };
            match svg {
                Some(Plot::Plies) => write!(out, "{}", census.plies_svg())?,
                Some(Plot::Distance) => write!(out, "{}", census.distance_svg())?,
                None if context.json => json_line(&mut out, &Line::Census(deals::object(&census)))?,
                None => print_census(&mut out, &deals::object(&census))?,
            }
            Ok(Exit::Answered)
        }
        Action::FirstMoves { spec, every, through } => {
            deals::winning_first_moves(context, &mut out, (spec, *every), through.farm.as_deref())
        }
    }
}

fn wrong_table(path: &Path, of: &str) -> Error {
    Error::new(
        ErrorCode::WrongTable,
        format!("{} is no table of Collapsi's {of}", path.display()),
        "make one: ludex table build collapsi --out FILE",
    )
}
