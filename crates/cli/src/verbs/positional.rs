//! `positional`: files of games that are known by a short name.

use std::{
    fs,
    io::{self, Write as _},
    path::PathBuf,
};

use clap::{
    Args, Subcommand, ValueEnum,
    builder::{PossibleValue, StringValueParser, TypedValueParser},
};
use ludex_core::{Error, ErrorCode};
use ludex_games::positional::{self, Achievement, Polyomino};

use super::{GameVerbs, read, verb};
use crate::{
    context::Context,
    exit::{Done, Exit, failed},
    objects::{Line, Sheet},
    output::json_line,
};

/// What positional games have of their own.
pub const VERBS: GameVerbs = GameVerbs {
    family: "positional",
    command: || verb::<Positional>("positional", "Positional games: files for achieving a polyomino"),
    run: |context, matches| run(context, &read(matches)?),
    json: |_| false,
    bench: None,
    census: None,
};

/// `positional`.
#[derive(Debug, Args)]
struct Positional {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// A .pg file of the game of achieving a polyomino, turned or mirrored, on a board
    Polyomino(Order),
}

#[derive(Debug, Args)]
struct Order {
    /// The shape: a name, or rows joined by '/' with '#' for a square, such as '##./.##'
    #[arg(long, value_parser = Shapes)]
    shape: String,
    /// The board: columns x rows
    #[arg(long, value_name = "WxH")]
    board: String,
    /// Whether White only prevents it, or wants the shape too
    #[arg(long, value_enum, default_value = "weak")]
    rule: Rule,
    /// Black has to do it within so many moves [default: until the board is full]
    #[arg(long, value_name = "N")]
    moves: Option<usize>,
    /// Write to this file [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rule {
    /// White wins by preventing it.
    Weak,
    /// Who has it first wins; a draw if nobody gets it.
    Strong,
}

/// Any text, with the names of the shapes for whoever completes words.
#[derive(Clone, Debug)]
struct Shapes;

impl TypedValueParser for Shapes {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(positional::SHAPES.iter().flat_map(|(names, _)| *names).map(PossibleValue::new)))
    }
}

fn run(context: &Context, positional: &Positional) -> Done {
    match &positional.action {
        Action::Polyomino(order) => polyomino(context, order),
    }
}

/// Columns and rows.
fn size(board: &str) -> Result<(usize, usize), Error> {
    let numbers = board.split_once(['x', 'X']).map(|(w, h)| (w.parse(), h.parse()));
    match numbers {
        Some((Ok(columns), Ok(rows))) => Ok((columns, rows)),
        _ => Err(Error::new(
            ErrorCode::BadArguments,
            format!("'{board}' is no board"),
            "columns x rows, such as 9x9",
        )),
    }
}

fn polyomino(context: &Context, order: &Order) -> Done {
    let shape: Polyomino = order.shape.parse()?;
    let (columns, rows) = size(&order.board)?;
    let (rule, wants) = match order.rule {
        Rule::Weak => (Achievement::Weak, "Black wants"),
        Rule::Strong => (Achievement::Strong, "both want"),
    };
    let sheet = shape.sheet((columns, rows), rule, order.moves)?;
    let text = format!("% {wants} {shape} on {columns}x{rows}, turned or mirrored\n{}", sheet.write());
    let game = positional::remember(&text)?;
    if let Some(file) = &order.out {
        fs::write(file, &text).map_err(failed(format!("cannot write {}", file.display())))?;
    }
    let mut out = io::stdout().lock();
    if context.json {
        let object = Sheet {
            game,
            shape: shape.to_string(),
            cells: sheet.cells.len(),
            sets: sheet.black_wins.len(),
            plies: sheet.times.len(),
            text: order.out.is_none().then_some(text),
            file: order.out.clone(),
        };
        json_line(&mut out, &Line::Sheet(object))?;
    } else if order.out.is_none() {
        out.write_all(text.as_bytes())?;
    }
    Ok(Exit::Answered)
}
