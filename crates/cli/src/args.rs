//! The command line as it is typed.

use std::{path::PathBuf, time::Duration};

use clap::{Args as ClapArgs, ColorChoice, Parser, Subcommand, ValueEnum};
use ludex_judge::SOLVERS;

use crate::{bench::Beside, serve::Serve, units};

/// The judge of games: who wins, how, and how soon.
#[derive(Debug, Parser)]
#[command(name = "ludex", version, propagate_version = true, max_term_width = 100)]
pub struct Args {
    #[command(flatten)]
    pub common: Common,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What every verb takes.
#[derive(Debug, Clone, ClapArgs)]
#[command(next_help_heading = "Options of every command")]
pub struct Common {
    /// JSON lines, the machine interface
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value = "auto")]
    pub color: ColorChoice,
    /// The folder with tables of whole games [default: what LUDEX_TABLES names]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub tables: Option<PathBuf>,
}

/// The verbs for any game. Those of single games are in [`crate::verbs`].
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Who wins, and how soon with --goal distance
    Solve(Question),
    /// Every legal move with its value, best first
    #[command(visible_alias = "analyse")]
    Analyze(Question),
    /// Why a position is worth what it is, in words; or what a certificate does in it
    Explain(Question),
    /// Write a certificate of what a position is worth
    Prove(crate::proof::Prove),
    /// Check certificates
    Check(crate::proof::Check),
    /// Look into certificates, make them smaller, cut and join them
    Proof(crate::proof::Proof),
    /// What every opening is worth, grouped by symmetry
    Openings(crate::study::Openings),
    /// A position in which exactly one move wins
    Puzzle(crate::study::Puzzle),
    /// Play in the terminal, against the engine or another person
    Play(Play),
    /// Serve the page and the API
    Serve(Serve),
    /// Serve language models by the Model Context Protocol, on standard input and output
    #[cfg(feature = "mcp")]
    Mcp(crate::mcp::Mcp),
    /// Serve language models: needs a program built with --features mcp
    #[cfg(not(feature = "mcp"))]
    #[command(hide = true)]
    Mcp(crate::unbuilt::Unbuilt),
    /// Step through a recorded game
    Replay(crate::arena::Replay),
    /// What every move of a game kept or gave away
    Review(crate::review::Review),
    /// Tables of whole games: build, probe, count, export, verify
    Table(crate::table::Table),
    /// Opening books: build, count, export
    Book(crate::book::Book),
    /// Write a file of positions with exact values, for training and testing
    Dataset(crate::dataset::Order),
    /// List or delete verdicts in the database
    Db(Db),
    /// Choose a move without solving the game, and tell what it took
    Think(crate::study::Think),
    /// How good a position looks, term by term: a guess, never a verdict
    Eval(crate::study::Eval),
    /// Run a player that speaks a protocol: GTP for every game, nexC for Nex
    Engine(crate::arena::Engine),
    /// Wait for two players on a TCP port, and let them play each other
    Referee(crate::arena::Referee),
    /// Let players compete, and rate them
    Tournament(crate::arena::Tournament),
    /// Work for many processes through a queue: positions, shared proof searches
    Farm(crate::farm::Farm),
    /// List the games
    Games,
    /// The rules of a game, for people
    Rules {
        /// The game, NAME[:PARAM,…]
        spec: String,
    },
    /// Show a position
    Show(Show),
    /// Count move sequences, ply by ply
    Perft(Perft),
    /// How large a game is: exactly where it can be counted, and by random games
    Complexity(crate::study::Complexity),
    /// Solve a fixed set of positions and print nodes, time and rate
    Bench(Bench),
    /// Print the JSON Schema of every object that --json prints
    Schema,
    /// Print a completion script for a shell, which knows the games
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print a manual page, or write them all
    Man(Man),
}

/// The verbs as `--help` lists them; those of single games come under `Games`.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("Answers", &["solve", "analyze", "explain", "openings", "puzzle"]),
    ("Proofs", &["prove", "check", "proof"]),
    ("Play", &["play", "serve", "replay", "review"]),
    ("Tables", &["table", "book", "dataset", "db"]),
    ("Engines", &["think", "eval", "engine", "referee", "tournament", "mcp"]),
    ("Many machines", &["farm"]),
    ("Games", &["games", "rules", "show", "perft", "complexity"]),
    ("Program", &["bench", "schema", "completions", "man", "help"]),
];

/// Which game and position, as every verb names them.
#[derive(Debug, Clone, ClapArgs)]
pub struct PositionArgs {
    /// The game, NAME[:PARAM,…], such as mnk:5,5,4 (see `ludex games`)
    pub spec: String,
    /// The position: a board and optionally the side to move, or moves:m1,m2,… (default: the start)
    pub position: Option<String>,
    /// The deal's seed, for games that begin with a deal
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// `man`.
#[derive(Debug, ClapArgs)]
pub struct Man {
    /// The verb, such as solve or table build (default: the program)
    pub verb: Vec<String>,
    /// Write the pages of all verbs to this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "verb")]
    pub out: Option<PathBuf>,
}

/// `show`.
#[derive(Debug, ClapArgs)]
pub struct Show {
    #[command(flatten)]
    pub at: PositionArgs,
    /// Write the board as SVG
    #[arg(long)]
    pub svg: bool,
    /// List the legal moves with the cells they pass
    #[arg(long)]
    pub paths: bool,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Goal {
    /// Who wins
    Wdl,
    /// Who wins and in how many plies
    Distance,
}

impl From<Goal> for ludex_core::Goal {
    fn from(goal: Goal) -> Self {
        match goal {
            Goal::Wdl => Self::Wdl,
            Goal::Distance => Self::Distance,
        }
    }
}

/// `solve`, `analyze` and `explain`.
#[derive(Debug, ClapArgs)]
pub struct Question {
    #[command(flatten)]
    pub at: PositionArgs,
    /// Answer one position per line of this file (- for standard input; # begins a comment)
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub positions: Option<PathBuf>,
    /// Write a certificate of the answer to this file (solve only; see also prove)
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    pub proof: Option<PathBuf>,
    /// What to find out [default: wdl for solve, distance for analyze]
    #[arg(long, value_enum)]
    pub goal: Option<Goal>,
    /// A parameter of the game, as if it were at the end of the spec (may be given several times)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    #[command(flatten)]
    pub shorthands: Shorthands,
    /// Save what the search remembers to this file, and continue from it if it exists (dfpn only)
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    pub checkpoint: Option<PathBuf>,
    /// How often the checkpoint is written
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s", requires = "checkpoint")]
    pub every: Duration,
    #[command(flatten)]
    pub effort: Effort,
}

/// Flags of version 1 that stand for parameters of a spec or for rules to leave out. They go on to work; `--set` and
/// `--without` say the same for every game.
#[derive(Debug, ClapArgs)]
pub struct Shorthands {
    /// Short for --set first=SIDE
    #[arg(long, value_name = "SIDE", hide = true)]
    pub first: Option<String>,
    /// Short for --set setup=SETUP
    #[arg(long, value_name = "SETUP", hide = true)]
    pub setup: Option<String>,
    /// Short for --set alpha=NUMBER
    #[arg(long, value_name = "NUMBER", hide = true)]
    pub alpha: Option<String>,
    /// Short for --set beta=NUMBER
    #[arg(long, value_name = "NUMBER", hide = true)]
    pub beta: Option<String>,
    /// paper is short for --without selfridge
    #[arg(long, value_enum, hide = true)]
    pub stop: Option<StopRule>,
}

/// Which sum tells that Breaker wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StopRule {
    /// Breaker to move, potential below 1
    Paper,
    /// Erdős and Selfridge: below 2 for Breaker to move, below 1 for Maker
    Es,
}

impl Question {
    /// The spec with the parameters that were given by flags.
    pub fn spec(&self) -> String {
        let Shorthands { first, setup, alpha, beta, .. } = &self.shorthands;
        let flags = [("first", first), ("setup", setup), ("alpha", alpha), ("beta", beta)];
        let flags = flags.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value.as_ref()?)));
        let mut spec = self.at.spec.clone();
        for parameter in self.set.iter().cloned().chain(flags) {
            spec.push(if spec.contains(':') { ',' } else { ':' });
            spec.push_str(&parameter);
        }
        spec
    }
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressStyle {
    /// A bar on a terminal, nothing in a pipe
    Auto,
    /// A bar
    Bar,
    /// JSON lines on standard error
    Json,
    /// Nothing
    None,
}

/// Limits and switches of a search.
#[derive(Debug, Clone, ClapArgs)]
pub struct Effort {
    /// Stop after this time, such as 30s, 5m or 1h30m
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Memory for tables and trees, such as 512MiB or 4GiB; at least 1MiB
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "1GiB")]
    pub memory: u64,
    /// Stop after this many positions, such as 1e9
    #[arg(long, value_name = "N", value_parser = units::count)]
    pub nodes: Option<u64>,
    /// Threads that share one table
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// The search: auto, a generic one by its name, or a game's own
    #[arg(long, value_name = "NAME", long_help = solvers())]
    pub solver: Option<String>,
    /// Rules to leave out, joined by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub without: Vec<String>,
    /// The database of verdicts, a file or a farm's (postgres://…) [default: ludex.db in the platform's data directory]
    #[arg(long, value_name = "FILE", conflicts_with = "no_db")]
    pub db: Option<PathBuf>,
    /// Use no database
    #[arg(long)]
    pub no_db: bool,
    /// Use no table
    #[arg(long)]
    pub no_table: bool,
    /// Use no opening book
    #[arg(long)]
    pub no_book: bool,
    /// How to show progress
    #[arg(long, value_enum, default_value = "auto")]
    pub progress: ProgressStyle,
}

/// `play`.
#[derive(Debug, ClapArgs)]
pub struct Play {
    #[command(flatten)]
    pub at: PositionArgs,
    /// Who sits at the keyboard: first, second, both, none, or a side's own name
    #[arg(long, default_value = "first")]
    pub human: String,
    /// How well the engine plays: random, greedy, level:1 … level:9, perfect, or a game's own player
    #[arg(long, value_name = "NAME", default_value = "perfect")]
    pub level: String,
    /// Show what the engine's searches took, depth by depth, where it had to guess
    #[arg(long)]
    pub info: bool,
    /// The engine's time for a move
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "5s")]
    pub time: Duration,
    /// Memory of the engine
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "256MiB")]
    pub memory: u64,
    /// Threads of the engine
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
}

/// `perft`.
#[derive(Debug, ClapArgs)]
pub struct Perft {
    /// The game
    pub spec: String,
    /// How many plies deep
    pub depth: u32,
    /// The position: a board and optionally the side to move, or moves:m1,m2,… (default: the start)
    pub position: Option<String>,
    /// The deal's seed, for games that begin with a deal
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Count different positions, and those that differ by more than a symmetry, as well
    #[arg(long)]
    pub distinct: bool,
}

/// `bench`.
#[derive(Debug, ClapArgs)]
pub struct Bench {
    /// Only these games (default: all)
    pub games: Vec<String>,
    /// Also the slow cases
    #[arg(long)]
    pub slow: bool,
    /// The search: auto, a generic one by its name, or a game's own
    #[arg(long, value_name = "NAME", long_help = solvers())]
    pub solver: Option<String>,
    /// Rules to leave out, joined by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Threads that share one table
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// Memory for tables
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "64MiB")]
    pub memory: u64,
    /// Give up on a case after this time
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s")]
    pub time: Duration,
    /// Another solver on the positions of a game that has some for this: PROGRAM FILE prints mean seconds, mean nodes and
    /// wrong scores
    #[arg(long, value_name = "NAME=PROGRAM")]
    pub beside: Vec<Beside>,
}

/// `db`.
#[derive(Debug, ClapArgs)]
pub struct Db {
    #[command(subcommand)]
    pub action: DbAction,
    /// The database [default: ludex.db in the platform's data directory]
    #[arg(long, value_name = "FILE", global = true)]
    pub db: Option<PathBuf>,
}

/// What to do with the database.
#[derive(Debug, Subcommand)]
pub enum DbAction {
    /// List verdicts
    Query(Which),
    /// Forget verdicts
    Purge {
        #[command(flatten)]
        which: Which,
        /// All of them
        #[arg(long)]
        all: bool,
        /// Those that are not what was written
        #[arg(long, conflicts_with_all = ["all", "game", "position", "solver", "made_by", "with_rule", "limit"])]
        damaged: bool,
    },
    /// Compare every verdict with its checksum, and the file with itself
    Check,
}

/// Which verdicts.
#[derive(Debug, Clone, ClapArgs)]
pub struct Which {
    /// Of this game: a whole spec, or a name for all its sizes
    #[arg(long, value_name = "SPEC")]
    pub game: Option<String>,
    /// Of this position
    #[arg(long)]
    pub position: Option<String>,
    /// Made by this search
    #[arg(long)]
    pub solver: Option<String>,
    /// Made by this version of the program
    #[arg(long = "made-by", value_name = "VERSION")]
    pub made_by: Option<String>,
    /// Made with this rule on
    #[arg(long, value_name = "RULE")]
    pub with_rule: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N")]
    pub limit: Option<u64>,
}

/// The help of `--solver`, from the judge's list.
fn solvers() -> String {
    format!("The search: auto, one of {}, or a game's own", SOLVERS.join(", "))
}
