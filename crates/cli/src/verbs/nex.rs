//! `nex`: openings, evaluation, complexity and thinking, by the names they had before every game had them.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use clap::{Args as ClapArgs, Subcommand};
use ludex_studies::nex;

use super::{GameVerbs, read, verb};
use crate::{
    args::PositionArgs,
    context::Context,
    exit::{Done, Exit, failed},
    objects::{Line, NexEval, NexTerm},
    output::json_line,
    study::{self, Sampling, Thinking},
};

/// What Nex has of its own.
pub const VERBS: GameVerbs = GameVerbs {
    family: "nex",
    command: || verb::<Nex>("nex", "Nex: a map of the openings, evaluation, complexity, thinking"),
    run: |context, matches| run(context, &read(matches)?),
    json: |_| false,
    bench: None,
    census: None,
};

/// `nex`.
#[derive(Debug, ClapArgs)]
struct Nex {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Every opening with its value, grouped by symmetry: `ludex openings` with a map
    Openings {
        /// The board, such as nex:3x3 or nex:3x3,rules=official
        spec: String,
        /// Write a map to this file: for every cell of the stone, the value of every cell of the neutral
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// How a position looks, term by term
    Eval {
        /// The board, such as nex:4x4
        spec: String,
        /// The position (default: the empty board)
        position: Option<String>,
    },
    /// How large the game is: `ludex complexity`
    Complexity {
        /// The board, such as nex:4x4
        spec: String,
        #[command(flatten)]
        sampling: Sampling,
    },
    /// Choose a move without solving the game: `ludex think`
    Think {
        /// The board, such as nex:4x4
        spec: String,
        /// The position (default: the empty board)
        position: Option<String>,
        #[command(flatten)]
        thinking: Thinking,
    },
}

/// The spec of a board, which version 1 of the command line named without the game: `3x3`.
fn full(spec: &str) -> String {
    if spec.starts_with("nex") { spec.to_owned() } else { format!("nex:{spec}") }
}

fn run(context: &Context, nex: &Nex) -> Done {
    match &nex.action {
        Action::Openings { spec, svg } => {
            let openings = study::openings(context, &full(spec))?;
            if let (Some(path), Some(map)) = (svg, nex::map(&openings)) {
                fs::write(path, map).map_err(failed(format!("cannot write {}", path.display())))?;
            }
            Ok(Exit::Answered)
        }
        Action::Eval { spec, position } => {
            let at = PositionArgs { spec: full(spec), position: position.clone(), seed: None };
            eval(context, &at)
        }
        Action::Complexity { spec, sampling } => study::complexity(context, &full(spec), sampling),
        Action::Think { spec, position, thinking } => {
            let at = PositionArgs { spec: full(spec), position: position.clone(), seed: None };
            study::think(context, &at, thinking)
        }
    }
}

fn eval(context: &Context, at: &PositionArgs) -> Done {
    let (game, position) = context.position_of(at)?;
    let seen = game.evaluate(&position)?;
    let mut out = io::stdout().lock();
    let terms = seen.terms.into_iter().map(|term| {
        let [black, white] = term.counts.unwrap_or_default();
        let weight = term.weight.unwrap_or_default();
        NexTerm { name: term.name, what: term.what, black, white, weight, counted: term.counted }
    });
    let seen = NexEval {
        game: seen.game,
        position: seen.position,
        to_move: seen.to_move,
        score: seen.score,
        terms: terms.collect(),
    };
    if context.json {
        json_line(&mut out, &Line::Eval(seen))?;
        return Ok(Exit::Answered);
    }
    writeln!(out, "{:<10} {:>6} {:>6} {:>7}  counts", "term", "Black", "White", "weight")?;
    for t in &seen.terms {
        let weight = if t.counted { t.weight.to_string() } else { format!("({})", t.weight) };
        writeln!(out, "{:<10} {:>6} {:>6} {weight:>7}  {}", t.name, t.black, t.white, t.what)?;
    }
    let name = game.side_names()[seen.to_move.index()];
    writeln!(
        out,
        "score {:+} for {name}, who is to move (50 for the move, terms in brackets left out)",
        seen.score
    )?;
    Ok(Exit::Answered)
}
