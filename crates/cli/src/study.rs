//! `openings`, `puzzle`, `think`, `eval` and `complexity`, for any game.

use std::{
    io::{self, Write},
    time::Duration,
};

use clap::Args as ClapArgs;
use indicatif::HumanCount;
use ludex_core::Budget;
use ludex_judge::{
    Limits, Question,
    answer::{self, Opening, Source},
    summary,
};

use crate::{
    args::PositionArgs,
    context::Context,
    exit::{Done, Exit, Failure},
    help::program,
    output::{self, json_line},
    units,
};

/// `openings`.
#[derive(Debug, ClapArgs)]
pub struct Openings {
    /// The game, NAME[:PARAM,…], such as nex:3x3 (see `ludex games`)
    pub spec: String,
}

/// What every opening is worth.
pub fn openings(context: &Context, spec: &str) -> Result<Vec<Opening>, Failure> {
    let game = context.open(spec)?;
    let (openings, from) = game.openings(&context.terms()?)?;
    let mut out = io::stdout().lock();
    if context.json {
        openings.iter().try_for_each(|opening| json_line(&mut out, opening))?;
        return Ok(openings);
    }
    let from = match from {
        Source::Table => "the table",
        _ => "all positions solved here",
    };
    writeln!(out, "{}: {} ({} classes, from {from})", game.spec(), summary(&openings), openings.len())?;
    for class in &openings {
        writeln!(out, "  {:<24} {}", class.moves.join(" "), class.value)?;
    }
    Ok(openings)
}

/// `puzzle`.
#[derive(Debug, ClapArgs)]
pub struct Puzzle {
    /// The game, NAME[:PARAM,…]
    pub spec: String,
    /// The position to start from (default: the start of the game, or any deal)
    pub position: Option<String>,
    /// The number of the puzzle: another seed gives another puzzle
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// A win in this many plies
    #[arg(long, value_name = "N")]
    pub plies: Option<u32>,
    /// Tell the answer
    #[arg(long)]
    pub answer: bool,
    /// How long to look for one
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10s")]
    pub time: Duration,
    /// Memory of the searches
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "64MiB")]
    pub memory: u64,
}

/// A position in which exactly one move wins.
pub fn puzzle(context: &Context, asked: &Puzzle) -> Done {
    let game = context.open(&asked.spec)?;
    let budget = Budget { time: Some(asked.time), memory: asked.memory, ..Budget::default() };
    let question = Question { position: asked.position.clone(), budget, ..Question::default() };
    let puzzle = game.puzzle(&question, &context.terms()?, asked.seed, asked.plies)?;
    let mut out = io::stdout().lock();
    if context.json {
        json_line(&mut out, &puzzle)?;
        return Ok(Exit::Answered);
    }
    let name = game.side_names()[puzzle.to_move.index()];
    writeln!(out, "{}: {name} to move. One move wins, in {} plies.", game.title(), puzzle.plies)?;
    write!(out, "{}", game.picture(&puzzle.position)?)?;
    writeln!(out, "{}", puzzle.position)?;
    if asked.answer {
        writeln!(out, "answer {}", puzzle.solution.join(" "))?;
    } else {
        writeln!(out, "{} analyze {} '{}' tells the answer", program(), puzzle.game, puzzle.position)?;
    }
    Ok(Exit::Answered)
}

/// `think`.
#[derive(Debug, ClapArgs)]
pub struct Think {
    #[command(flatten)]
    pub at: PositionArgs,
    #[command(flatten)]
    pub thinking: Thinking,
}

/// How far to think.
#[derive(Debug, ClapArgs)]
pub struct Thinking {
    /// How many plies to look ahead
    #[arg(long, value_name = "PLIES", default_value_t = 4)]
    pub depth: u32,
    /// How many moves to look at in a position
    #[arg(long, value_name = "MOVES", default_value_t = 24)]
    pub breadth: usize,
    /// Stop after this time
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "10s")]
    pub time: Duration,
}

/// Choose a move without solving the game.
pub fn think(context: &Context, at: &PositionArgs, thinking: &Thinking) -> Done {
    let game = context.open(&at.spec)?;
    let budget = Budget { time: Some(thinking.time), ..Budget::default() };
    let question = Question { position: at.position.clone(), seed: at.seed, budget, ..Question::default() };
    let limits = Limits { depth: thinking.depth, breadth: thinking.breadth };
    let thought = game.think(&question, &context.terms()?, limits)?;
    let mut out = io::stdout().lock();
    if context.json {
        json_line(&mut out, &thought)?;
        return Ok(Exit::Answered);
    }
    output::thought(&mut out, &thought)?;
    let best = thought.best.as_deref().unwrap_or("nothing");
    writeln!(out, "plays {best}; expects {}", thought.pv.join(" "))?;
    Ok(Exit::Answered)
}

/// `eval`.
#[derive(Debug, ClapArgs)]
pub struct Eval {
    #[command(flatten)]
    pub at: PositionArgs,
}

/// How good a position looks, term by term.
pub fn eval(context: &Context, eval: &Eval) -> Done {
    let (game, position) = context.position_of(&eval.at)?;
    let seen = game.evaluate(&position)?;
    let mut out = io::stdout().lock();
    if context.json {
        json_line(&mut out, &seen)?;
        return Ok(Exit::Answered);
    }
    terms(&mut out, game.side_names(), &seen)?;
    let name = game.side_names()[seen.to_move.index()];
    writeln!(out, "score {:+} for {name}, who is to move: a guess", seen.score)?;
    Ok(Exit::Answered)
}

/// The terms of an evaluation as a table: what is counted for each side where it is a count, and what it adds.
fn terms(out: &mut impl Write, names: [&str; 2], seen: &answer::Evaluation) -> io::Result<()> {
    writeln!(out, "{:<16} {:>8} {:>8} {:>8} {:>8}", "term", names[0], names[1], "weight", "adds")?;
    for term in &seen.terms {
        let number = |n: Option<i32>| n.map_or(String::new(), |n| n.to_string());
        let [first, second] = [0, 1].map(|i| number(term.counts.map(|counts| counts[i])));
        let adds = if term.counted { term.value.to_string() } else { format!("({})", term.value) };
        let weight = number(term.weight);
        writeln!(out, "{:<16} {first:>8} {second:>8} {weight:>8} {adds:>8}  {}", term.name, term.what)?;
    }
    Ok(())
}

/// `complexity`.
#[derive(Debug, ClapArgs)]
pub struct Complexity {
    /// The game, NAME[:PARAM,…]
    pub spec: String,
    #[command(flatten)]
    pub sampling: Sampling,
}

/// How a size is found out.
#[derive(Debug, ClapArgs)]
pub struct Sampling {
    /// How many random games to play
    #[arg(long, value_name = "N", default_value = "1000", value_parser = units::count)]
    pub samples: u64,
    /// Their seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Count exactly up to this many positions
    #[arg(long, value_name = "N", default_value = "3e6", value_parser = units::count)]
    pub exact: u64,
}

/// How large a game is.
pub fn complexity(context: &Context, spec: &str, sampling: &Sampling) -> Done {
    let size = context.open(spec)?.complexity(sampling.samples, sampling.seed, sampling.exact)?;
    let mut out = io::stdout().lock();
    if context.json {
        json_line(&mut out, &size)?;
        return Ok(Exit::Answered);
    }
    writeln!(out, "{}", size.game)?;
    if let (Some(tree), Some(positions)) = (&size.tree, size.positions) {
        writeln!(out, "game tree  {tree} nodes, exactly")?;
        writeln!(out, "positions  {} can be reached, exactly", HumanCount(positions))?;
    }
    let percent = 100.0 * size.tree_relative_error;
    let (log, samples) = (size.tree_log10, size.samples);
    writeln!(out, "game tree  10^{log:.2} nodes by {samples} random games, relative error {percent:.0} %")?;
    writeln!(out, "length     {:.2} ± {:.2} plies of a random game", size.plies, size.plies_error)?;
    writeln!(out, "moves      {:.1} ± {:.1} in a position of a random game", size.moves, size.moves_error)?;
    Ok(Exit::Answered)
}
