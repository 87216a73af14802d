//! `dataset`: positions with exact values, for those who train or test models.
//!
//! Every byte of the file is fixed by the [order](DatasetOrder): each position is judged by itself, with an empty table and a
//! limit of nodes, and the rows are written in the order of the positions. Until it is done, the rows are in `FILE.part`, from
//! which the same command goes on. Then `FILE` is made of them, with `FILE.card.md` beside it.

mod card;
mod journal;
mod rows;
mod sampler;

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use clap::{Args as ClapArgs, ValueEnum};
use ludex_core::{Budget, Error, ErrorCode, MIN_MEMORY, Status};
use ludex_farm::{At, Chore};
use ludex_judge::{AnyGame, Met, Question, Ratings, Terms};
use serde_json::Value;

use crate::{
    args::Goal,
    chores::{self, Through},
    context::Context,
    exit::{Done, Exit, Failure, failed},
    objects::{Dataset, DatasetOrder, Line},
    output::json_line,
    progress::Bar,
    units,
};
pub use rows::push_field;

use journal::{Journal, Labels};
use sampler::Sample;

/// Positions that are handed to the threads at a time.
const CHUNK: usize = 256;

/// Most positions are solved by a short search, which would be over before a large table is set up: nodes and memory of a
/// first attempt.
const SHORT: (u64, u64) = (20_000, MIN_MEMORY);

/// `dataset`.
#[derive(Debug, ClapArgs)]
pub struct Order {
    /// The game, NAME[:PARAM,…], such as connect4 (see `ludex games`)
    spec: String,
    /// The position to start from (default: the start of the game, or any deal)
    position: Option<String>,
    /// Where positions come from: random or play (games by chance, blindly or with an eye on the next move), all, from=FILE
    #[arg(long, value_name = "random|play|all|from=FILE", default_value = "random")]
    sample: Sample,
    /// How many positions to take [default: all there are, with all and from=FILE]
    #[arg(long, value_name = "N", value_parser = units::count)]
    positions: Option<u64>,
    /// The seed: another seed gives other positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The file to write: its name ends with .jsonl, .csv, .jsonl.zst or .csv.zst
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// What to find out of every move [default: distance, or wdl where a game is far quicker to solve for that]
    #[arg(long, value_enum)]
    goal: Option<Goal>,
    /// Which positions are taken only once
    #[arg(long, value_enum, default_value = "position")]
    distinct: Distinct,
    /// Divide the rows into train and test, by classes under symmetry; the share for testing, such as 10% or 0.1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    split: Option<f64>,
    /// Leave out positions of which not everything is known within the limits
    #[arg(long)]
    only_solved: bool,
    /// Nodes for each position, such as 1e8
    #[arg(long, value_name = "N", value_parser = units::count, default_value = "1e7")]
    nodes: u64,
    /// Memory of each thread's search
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "64MiB")]
    memory: u64,
    /// Threads, each on a position of its own
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Stop after this time; the same command goes on from there
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    time: Option<Duration>,
    /// The search: auto, a generic one by its name, or a game's own
    #[arg(long, value_name = "NAME")]
    solver: Option<String>,
    /// Rules to leave out, joined by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    without: Vec<String>,
    /// Use no table
    #[arg(long)]
    no_table: bool,
    /// Use no opening book
    #[arg(long)]
    no_book: bool,
    #[command(flatten)]
    through: Through,
}

/// Which positions are taken only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Distinct {
    /// Whatever is met is taken, as often as it is met
    None,
    /// The same position once
    Position,
    /// One of those that differ by no more than a symmetry
    Symmetry,
}

impl Distinct {
    const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Position => "position",
            Self::Symmetry => "symmetry",
        }
    }
}

/// `10%` or `0.1`.
fn share(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().map(|n| n / 100.0),
        None => text.parse(),
    };
    match number {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err(format!("'{text}' is not a share: write 10% or 0.1, between nothing and everything")),
    }
}

/// The format that a file's name asks for: rows as JSON or not, and compressed or not.
fn format_of(file: &Path) -> Result<&'static str, Error> {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let formats = ["jsonl.zst", "csv.zst", "jsonl", "csv"];
    formats
        .into_iter()
        .find(|format| name.strip_suffix(format).is_some_and(|stem| stem.ends_with('.')))
        .ok_or_else(|| {
            let message = format!("'{name}' does not say what to write");
            Error::new(
                ErrorCode::BadFile,
                message,
                "a name that ends with .jsonl, .csv, .jsonl.zst or .csv.zst",
            )
        })
}

impl Order {
    /// What fixes every byte.
    fn fixed(&self, game: &dyn AnyGame) -> Result<DatasetOrder, Failure> {
        let goal = self.goal.map_or_else(|| game.usual_goal(), ludex_core::Goal::from);
        let start = self.position.as_deref().map(|text| game.state(text)).transpose()?;
        if start.as_ref().is_some_and(|start| start.over.is_some()) {
            return Err(sampler::over().into());
        }
        Ok(DatasetOrder {
            program: format!("ludex {}", env!("CARGO_PKG_VERSION")),
            game: game.spec(),
            position: start.map(|start| start.position),
            positions: self.positions,
            sample: self.sample.fixed()?,
            seed: self.seed,
            goal: goal.word().to_owned(),
            distinct: self.distinct.word().to_owned(),
            split: self.split,
            only_solved: self.only_solved,
            nodes: self.nodes,
            memory: self.memory,
            solver: self.solver.clone(),
            without: self.without.clone(),
            tables: !self.no_table,
            book: !self.no_book,
            format: format_of(&self.out)?.to_owned(),
        })
    }

    /// The command that makes the file again. Flags that say what is said without them are left out.
    fn command(&self, fixed: &DatasetOrder) -> String {
        let mut words = vec!["ludex dataset".to_owned(), quoted(&self.spec)];
        words.extend(fixed.position.as_deref().map(quoted));
        let mut say = |flag: &str, value: Option<String>| {
            words.extend(value.map(|value| format!("--{flag} {}", quoted(&value)).trim_end().to_owned()));
        };
        let on = |on: bool| on.then(String::new);
        say("sample", Some(self.sample.to_string()));
        say("positions", self.positions.map(|n| n.to_string()));
        say("seed", Some(self.seed.to_string()));
        say("goal", Some(fixed.goal.clone()));
        say("distinct", Some(fixed.distinct.clone()));
        say("split", self.split.map(|share| share.to_string()));
        say("only-solved", on(self.only_solved));
        say("nodes", Some(self.nodes.to_string()));
        say("memory", Some(self.memory.to_string()));
        say("solver", self.solver.clone());
        say("without", (!self.without.is_empty()).then(|| self.without.join(",")));
        say("no-table", on(self.no_table));
        say("no-book", on(self.no_book));
        say("out", self.out.file_name().map(|name| name.to_string_lossy().into_owned()));
        words.join(" ")
    }
}

/// The question that an order asks of every position.
fn question(fixed: &DatasetOrder, threads: usize) -> Result<Question, Error> {
    Ok(Question {
        position: fixed.position.clone(),
        seed: Some(fixed.seed),
        goal: fixed.goal.parse()?,
        // The threads share the memory among them, and what is found must not depend on their number.
        budget: Budget {
            time: None,
            nodes: Some(fixed.nodes),
            memory: fixed.memory.saturating_mul(threads.max(1) as u64),
            threads,
        },
        solver: fixed.solver.clone(),
        without: fixed.without.clone(),
        tables: fixed.tables,
        book: fixed.book,
    })
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,%@+".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Write a dataset, or go on with one.
pub fn dataset(context: &Context, asked: &Order) -> Done {
    let game = context.open(&asked.spec)?;
    if let Some(solver) = &asked.solver {
        context.registry.check_solver(&*game, solver)?;
    }
    if asked.positions.is_none() && asked.sample.is_endless() {
        let message = format!("--sample {} never ends by itself", asked.sample);
        return Err(Error::new(ErrorCode::NothingNamed, message, "say how many with --positions N").into());
    }
    let fixed = asked.fixed(&*game)?;
    let command = asked.command(&fixed);
    let question = question(&fixed, asked.threads)?;
    let terms = context.terms()?;
    game.check(&question, &terms)?;
    let listed = asked.sample.read(&*game)?;
    if let Some(done) = card::finished(&asked.out, &fixed)? {
        return print(context, &asked.out, &done);
    }
    let mut journal = Journal::open(&asked.out, &fixed)?;
    let deadline = asked.time.map(|time| Instant::now() + time);
    if let Some(time) = asked.time {
        let cancel = terms.cancel.clone();
        // It outlives nothing: when the time is up, the program ends.
        std::thread::spawn(move || {
            std::thread::sleep(time);
            cancel.cancel();
        });
    }
    let bar = Bar::counting(asked.positions.unwrap_or(journal.rows()), "positions");
    let work = Work { game: &*game, fixed: &fixed, question: &question, terms: &terms };
    let farm: Option<Box<Elsewhere<'_>>> = match &asked.through.farm {
        Some(url) => Some(Box::new(|mets| elsewhere(context, url, &fixed, mets))),
        None => None,
    };
    let found = work.label_all(&asked.sample, &listed, &mut journal, &bar, farm.as_deref())?;
    bar.clear();
    if terms.cancel.is_cancelled() {
        journal.sync()?;
        let why = if deadline.is_some_and(|end| Instant::now() >= end) { "time is up" } else { "stopped" };
        let message = format!("{why} after {} positions, which are kept", journal.rows());
        return Err(Error::new(ErrorCode::Stopped, message, "the same command goes on from here").into());
    }
    if asked.positions.is_some_and(|wanted| found < wanted) {
        eprintln!("{}: only {found} positions were found", crate::help::program());
    }
    let done = card::finish(&asked.out, command, &fixed, journal)?;
    print(context, &asked.out, &done)
}

/// What labels positions.
struct Work<'a> {
    game: &'a dyn AnyGame,
    fixed: &'a DatasetOrder,
    question: &'a Question,
    terms: &'a Terms,
}

/// Rows that somebody else makes of positions.
type Elsewhere<'a> = dyn Fn(&[Met]) -> Result<Vec<String>, Failure> + 'a;

impl Work<'_> {
    /// Judge all positions of a sample that are not in the journal; how many there are.
    fn label_all(
        &self,
        sample: &Sample,
        listed: &[String],
        journal: &mut Journal,
        bar: &Bar,
        elsewhere: Option<&Elsewhere<'_>>,
    ) -> Result<u64, Failure> {
        let known = journal.known()?;
        // A farm gets everything at once.
        let most = if elsewhere.is_some() { usize::MAX } else { CHUNK };
        let (mut number, mut chunk, mut fault) = (0, Vec::new(), None);
        let label = |chunk: &mut Vec<Met>, journal: &mut Journal| -> Result<(), Failure> {
            match elsewhere {
                Some(elsewhere) => elsewhere(chunk)?.iter().try_for_each(|line| journal.append(line))?,
                None => {
                    let labels = Labels::new(journal, bar);
                    self.label(chunk, &|i, line| labels.take(i, line, &self.terms.cancel))?;
                    labels.finish()?;
                }
            }
            chunk.clear();
            Ok(())
        };
        sampler::each(self.game, self.fixed, (self.question, self.terms), sample, listed, &mut |met| {
            let step = match known.get(number) {
                Some(position) if *position == met.position => Ok(()),
                Some(position) => Err(journal.strange(number, position, &met.position)),
                None => {
                    chunk.push(met);
                    if chunk.len() == most { label(&mut chunk, journal) } else { Ok(()) }
                }
            };
            number += 1;
            fault = step.err();
            fault.is_none() && !self.terms.cancel.is_cancelled()
        })?;
        match fault {
            Some(fault) => return Err(fault),
            None => label(&mut chunk, journal)?,
        }
        Ok(number as u64)
    }

    /// Judge some positions on all threads; `take` gets the row of each by its place, in any order.
    fn label(
        &self,
        mets: &[Met],
        take: &(dyn Fn(usize, Result<Option<String>, Error>) + Sync),
    ) -> Result<(), Error> {
        let texts: Vec<&str> = mets.iter().map(|met| met.position.as_str()).collect();
        let tell = |i: usize, found: Result<Ratings, Error>| {
            take(i, found.map(|ratings| rows::line(self.fixed, &mets[i], &ratings)));
        };
        let mut left: Vec<usize> = (0..texts.len()).collect();
        if self.question.budget.nodes.is_some_and(|nodes| nodes > SHORT.0) {
            let mut short = self.question.clone();
            (short.budget.nodes, short.budget.memory) =
                (Some(SHORT.0), SHORT.1 * short.budget.threads as u64);
            let unsolved = Mutex::new(Vec::new());
            self.game.analyze_all(&texts, &short, self.terms, &|i, found| match found {
                Ok(ratings) if matches!(ratings.status, Status::OutOfNodes | Status::OutOfMemory) => {
                    unsolved.lock().unwrap_or_else(PoisonError::into_inner).push(i);
                }
                found => tell(i, found),
            })?;
            left = unsolved.into_inner().unwrap_or_else(PoisonError::into_inner);
            left.sort_unstable();
        }
        let again: Vec<&str> = left.iter().map(|&i| texts[i]).collect();
        self.game.analyze_all(&again, self.question, self.terms, &|i, found| tell(left[i], found))
    }
}

/// Positions of one part on a farm.
const PART: usize = 32;

/// Have rows made by a farm.
fn elsewhere(
    context: &Context,
    url: &str,
    fixed: &DatasetOrder,
    mets: &[Met],
) -> Result<Vec<String>, Failure> {
    let texts: Vec<&str> = mets.iter().map(|met| met.position.as_str()).collect();
    let parts: Vec<&[&str]> = texts.chunks(PART).collect();
    let came_to: Vec<Vec<String>> = chores::done(context, url, &Rows, &fixed.game, fixed, &parts)?;
    Ok(came_to.into_iter().flatten().collect())
}

/// Rows of a dataset, as a chore: the order is that of the dataset, a part some positions.
#[derive(Debug)]
pub struct Rows;

impl Chore for Rows {
    fn name(&self) -> &'static str {
        "dataset"
    }

    fn part(&self, at: &At<'_>, order: &Value, part: &Value) -> Result<Option<Value>, Error> {
        let fixed: DatasetOrder = chores::read(order, "an order")?;
        let texts: Vec<String> = chores::read(part, "a part")?;
        chores::within(fixed.memory, at.memory)?;
        let mets = texts.iter().map(|text| at.game.met_at(text)).collect::<Result<Vec<_>, _>>()?;
        let question = question(&fixed, 1)?;
        let work = Work { game: at.game, fixed: &fixed, question: &question, terms: at.terms };
        let lines = Mutex::new(vec![Ok(None); mets.len()]);
        work.label(&mets, &|i, line| {
            lines.lock().unwrap_or_else(PoisonError::into_inner)[i] = line;
        })?;
        let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        // All of them, or nothing if one was called off.
        let lines: Option<Vec<String>> = lines.into_iter().collect::<Result<_, Error>>()?;
        Ok(lines.map(Value::from))
    }
}

/// Say what was written.
fn print(context: &Context, file: &Path, done: &Dataset) -> Done {
    let mut out = io::stdout().lock();
    if context.json {
        json_line(&mut out, &Line::Dataset(Box::new(done.clone())))?;
        return Ok(Exit::Answered);
    }
    card::print(&mut out, file, done).map_err(failed("cannot print"))?;
    Ok(Exit::Answered)
}
