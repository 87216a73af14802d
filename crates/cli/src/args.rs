//! The command line as it is typed.

use std::{path::PathBuf, time::Duration};

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::{serve::Serve, units, verbs::connect4_measure::Beside};

/// The judge of games: who wins, how, and how soon.
#[derive(Debug, Parser)]
#[command(name = "ludex", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 answered, 1 could not within the budget, 2 bad input, 3 a check failed.\n\
                        Try: ludex solve mnk:5,5,4   ludex analyze mnk:3,3,3   ludex play connect4"
)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

impl Args {
    /// Whether errors are wanted as JSON too.
    pub fn wants_json(&self) -> bool {
        match &self.verb {
            Verb::Games { json } => *json,
            Verb::Show(show) => show.json,
            Verb::Perft(perft) => perft.json,
            Verb::Solve(q) | Verb::Analyze(q) => q.effort.json,
            Verb::Bench(bench) => bench.json,
            Verb::Db(db) => db.json,
            Verb::Table(table) => table.json,
            Verb::Collapsi(collapsi) => collapsi.json(),
            Verb::Tournament(tournament) => tournament.json,
            Verb::Replay(replay) => replay.json,
            Verb::Seven(seven) => seven.json,
            Verb::Nex(nex) => nex.json,
            Verb::Engine(_) | Verb::Referee(_) => false,
            Verb::Connect4(connect4) => connect4.json,
            Verb::Serve(_) | Verb::Play(_) | Verb::Completions { .. } | Verb::Man => false,
        }
    }
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// List the games
    Games {
        /// JSON lines
        #[arg(long)]
        json: bool,
    },
    /// Show a position
    Show(Show),
    /// Who wins, and how soon with --goal distance
    Solve(Question),
    /// Every legal move with its value, best first
    Analyze(Question),
    /// Play in the terminal, against the engine or another person
    Play(Play),
    /// Serve the page and the API
    Serve(Serve),
    /// Count move sequences, ply by ply
    Perft(Perft),
    /// Solve a fixed set of positions and print nodes, time and rate
    Bench(Bench),
    /// Look into the database of verdicts, or clean it
    Db(Db),
    /// Tables of whole games: build, probe, count, verify
    Table(crate::table::Table),
    /// Collapsi's own: record files, puzzles, the census of all deals
    Collapsi(crate::verbs::collapsi::Collapsi),
    /// Be a player that speaks a protocol (GTP for every game, nexC for Nex)
    Engine(crate::arena::Engine),
    /// Wait for two players on a TCP port and let them play
    Referee(crate::arena::Referee),
    /// Let players meet each other, and rate them
    Tournament(crate::arena::Tournament),
    /// Step through a recorded game
    Replay(crate::arena::Replay),
    /// Connect Four's own: its opponent, its opening book, its measurements
    Connect4(crate::verbs::connect4::Connect4),
    /// Seven in a row's own: lines, potential, random games, the paper's tables
    Seven(crate::verbs::seven::Seven),
    /// Nex: openings, evaluation, complexity, thinking
    Nex(crate::verbs::nex::Nex),
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// Which game and position.
#[derive(Debug, Clone, ClapArgs)]
pub struct Place {
    /// The game, NAME[:PARAM,…], such as mnk:5,5,4 (see `ludex games`)
    pub spec: String,
    /// The position: a board and optionally the side to move, or moves:m1,m2,… (default: the start)
    pub position: Option<String>,
    /// The deal's seed, for games that begin with a deal
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
}

/// `show`.
#[derive(Debug, ClapArgs)]
pub struct Show {
    #[command(flatten)]
    pub place: Place,
    /// Write the board as SVG
    #[arg(long)]
    pub svg: bool,
    /// List the legal moves with the cells they pass
    #[arg(long)]
    pub paths: bool,
    /// JSON
    #[arg(long, conflicts_with = "svg")]
    pub json: bool,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Goal {
    /// Who wins
    Wdl,
    /// Who wins and in how many plies
    Distance,
}

/// `solve` and `analyze`.
#[derive(Debug, ClapArgs)]
pub struct Question {
    #[command(flatten)]
    pub place: Place,
    /// Answer one position per line of this file (- for standard input; # begins a comment)
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub positions: Option<PathBuf>,
    /// What to find out [default: wdl for solve, distance for analyze]
    #[arg(long, value_enum)]
    pub goal: Option<Goal>,
    /// Who moves first, where the game leaves it open: short for the parameter first= of the spec
    #[arg(long, value_name = "SIDE")]
    pub first: Option<String>,
    /// Where the game begins: short for the parameter setup= of the spec
    #[arg(long, value_name = "SETUP")]
    pub setup: Option<String>,
    /// The base of the guess of the work that guides the search: short for the parameter alpha= of the spec
    #[arg(long, value_name = "NUMBER")]
    pub alpha: Option<String>,
    /// The weight of the chance in that guess: short for the parameter beta= of the spec
    #[arg(long, value_name = "NUMBER")]
    pub beta: Option<String>,
    /// Which sum tells that Breaker wins: paper is short for --without selfridge
    #[arg(long, value_enum)]
    pub stop: Option<crate::verbs::seven::StopRule>,
    /// Keep what the search remembers in this file, and go on from it if it is there (dfpn)
    #[arg(long, value_name = "FILE", conflicts_with = "positions")]
    pub checkpoint: Option<PathBuf>,
    /// How often the checkpoint is written
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s", requires = "checkpoint")]
    pub every: Duration,
    #[command(flatten)]
    pub effort: Effort,
}

impl Question {
    /// The spec with the parameters that were given by flags.
    pub fn spec(&self) -> String {
        let mut spec = self.place.spec.clone();
        let flags =
            [("first", &self.first), ("setup", &self.setup), ("alpha", &self.alpha), ("beta", &self.beta)];
        for (key, value) in flags {
            if let Some(value) = value {
                spec.push(if spec.contains(':') { ',' } else { ':' });
                spec.push_str(&format!("{key}={value}"));
            }
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
    /// JSON lines
    #[arg(long)]
    pub json: bool,
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
    /// The search: auto, alphabeta, dfpn, aostar, brute, or a game's own
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Rules to do without, joined by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub without: Vec<String>,
    /// The database of verdicts [default: ludex.db in the platform's data directory]
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
    pub place: Place,
    /// Who sits at the keyboard: first, second, both, none, or a side's own name
    #[arg(long, default_value = "first")]
    pub human: String,
    /// How well the engine plays: random, greedy, level:1 … level:9, perfect, connect4-…
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
    /// When to use colours
    #[arg(long, value_enum, default_value = "auto")]
    pub color: clap::ColorChoice,
}

/// `perft`.
#[derive(Debug, ClapArgs)]
pub struct Perft {
    /// The game
    pub spec: String,
    /// How many plies deep
    pub depth: u32,
    /// The position (default: the start)
    pub position: Option<String>,
    /// The deal's seed, for games that begin with a deal
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Count different positions, and those that differ by more than a symmetry, as well
    #[arg(long)]
    pub distinct: bool,
    /// JSON lines
    #[arg(long)]
    pub json: bool,
}

/// `bench`.
#[derive(Debug, ClapArgs)]
pub struct Bench {
    /// Only these games (default: all)
    pub games: Vec<String>,
    /// Also the slow cases
    #[arg(long)]
    pub slow: bool,
    /// The search: auto, alphabeta, dfpn, …
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Rules to do without, joined by commas
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
    /// Another solver on Connect Four's positions: PROGRAM FILE prints mean seconds, mean nodes and wrong scores
    #[arg(long, value_name = "NAME=PROGRAM")]
    pub beside: Vec<Beside>,
    /// JSON lines
    #[arg(long)]
    pub json: bool,
}

/// `db`.
#[derive(Debug, ClapArgs)]
pub struct Db {
    #[command(subcommand)]
    pub action: DbAction,
    /// The database [default: ludex.db in the platform's data directory]
    #[arg(long, value_name = "FILE", global = true)]
    pub db: Option<PathBuf>,
    /// JSON lines
    #[arg(long, global = true)]
    pub json: bool,
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
    },
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
