//! Verbs of single games, and what those games add to the verbs for all. Nothing outside this folder names a game.

mod collapsi;
mod connect4;
mod connect4_measure;
mod nex;
mod positional;
mod seven;
mod seven_soak;

use std::{
    io::{self, Write},
    path::Path,
};

pub use collapsi::Classes;
pub use seven_soak::Soaks;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use ludex_core::{Error, ErrorCode};

use crate::{
    bench::Beside,
    context::Context,
    exit::{Done, Failure},
    objects::Census,
};

/// A game's part of `bench`: prints its lines and returns the nodes that belong to the signature.
type Measure = fn(&Context, &mut dyn Write, &[Beside]) -> Result<u64, Failure>;

/// Counts a table of all deals, if the file is one.
type Count = fn(&Path) -> Result<Option<Census>, Error>;

/// What a game has of its own on the command line.
pub struct GameVerbs {
    /// The family's name, which is also the verb.
    pub family: &'static str,
    /// Its arguments.
    pub command: fn() -> Command,
    /// Do what they say.
    pub run: fn(&Context, &ArgMatches) -> Done,
    /// Whether they ask for JSON in another way than `--json`.
    pub json: fn(&ArgMatches) -> bool,
    /// What it adds to `bench`.
    pub bench: Option<Measure>,
    /// The census of a table of all deals, for `table stats`.
    pub census: Option<Count>,
}

/// The games that have something of their own, in the order of the bench.
pub const ALL: &[GameVerbs] =
    &[connect4::VERBS, collapsi::VERBS, nex::VERBS, seven::VERBS, positional::VERBS];

/// The game whose verb was given, and its arguments.
pub fn of(matches: &ArgMatches) -> Option<(&'static GameVerbs, &ArgMatches)> {
    let (name, matches) = matches.subcommand()?;
    Some((ALL.iter().find(|verbs| verbs.family == name)?, matches))
}

/// The census of a table, if its game has one.
pub fn census(context: &Context, spec: &str, file: &Path) -> Result<Option<Census>, Error> {
    // A table can be counted even if its game is not at hand.
    let Ok(family) = context.registry.family(spec) else { return Ok(None) };
    match ALL.iter().find(|verbs| verbs.family == family.name).and_then(|verbs| verbs.census) {
        Some(census) => census(file),
        None => Ok(None),
    }
}

/// A census for people.
pub fn print_census(out: &mut impl Write, census: &Census) -> io::Result<()> {
    collapsi::print_census(out, census)
}

/// The command of a game's verb.
fn verb<T: Args>(name: &'static str, about: &'static str) -> Command {
    // The words on the type are for readers of the code.
    T::augment_args(Command::new(name)).about(about)
}

/// The arguments of a game's verb.
fn read<T: FromArgMatches>(matches: &ArgMatches) -> Result<T, Failure> {
    T::from_arg_matches(matches)
        .map_err(|e| Error::new(ErrorCode::BadArguments, e.to_string(), "see --help").into())
}
