//! `review`: what every move of a game kept or gave away.

use std::{
    fs,
    io::{self, Write},
    path::Path,
    time::Duration,
};

use clap::Args as ClapArgs;
use ludex_arena::record;
use ludex_core::{
    Error, ErrorCode, Goal, Outcome, Side,
    svg::{DRAW, GRID, INK, LOSS, Svg, short},
};
use ludex_judge::{
    AnyGame, Question, Terms,
    answer::{self, MoveMark, Worth},
};

use crate::{
    args::{Effort, Goal as GoalWord},
    context::Context,
    exit::{Done, Exit, failed},
    output::json_line,
    progress::Display,
    questions,
};

/// `review`.
#[derive(Debug, ClapArgs)]
pub struct Review {
    /// A file of game records, SGF, or a link of HexWorld (- for standard input); or a game, NAME[:PARAM,…], followed by its moves
    pub what: String,
    /// The moves, if a game is named: b2 a1, b2,a1 or, in Connect Four, 4453
    pub moves: Vec<String>,
    /// Which game of the file
    #[arg(long, default_value_t = 1)]
    pub game: usize,
    /// Where the moves begin (default: the start)
    #[arg(long, value_name = "POSITION", requires = "moves")]
    pub from: Option<String>,
    /// The deal's seed, for games that begin with a deal
    #[arg(long, value_name = "N", requires = "moves")]
    pub seed: Option<u64>,
    /// Draw what the positions are worth as SVG
    #[arg(long)]
    pub svg: bool,
    /// What to find out [default: what suits the game]
    #[arg(long, value_enum)]
    pub goal: Option<GoalWord>,
    #[command(flatten)]
    pub effort: Effort,
}

/// The time for a whole game where none is given.
const TIME: Duration = Duration::from_secs(60);

/// Look back on a game.
pub fn review(context: &Context, asked: &Review) -> Done {
    if asked.svg && context.json {
        let message = "--svg and --json exclude each other";
        return Err(Error::new(ErrorCode::BadArguments, message, "one of them").into());
    }
    let (spec, start, moves) = game_of(context, asked)?;
    let game = context.open(&spec)?;
    let start = match start {
        Some(start) => game.view(&start)?.position,
        None => game.start(asked.seed)?,
    };
    let goal = asked.goal.map_or_else(|| game.usual_goal(), Goal::from);
    let mut question = Question { goal, ..questions::question(&asked.effort) };
    question.budget.time.get_or_insert(TIME);
    let display = Display::new(asked.effort.progress);
    let moves = if asked.moves.is_empty() { moves } else { apart(&*game, &start, moves) };
    let terms =
        Terms { progress: display.reporter(), memory: questions::memory(&asked.effort)?, ..context.terms()? };
    let review = ludex_judge::review(&*game, &start, &moves, &question, &terms)?;
    drop(display);
    let mut out = io::stdout().lock();
    if context.json {
        json_line(&mut out, &review)?;
    } else if asked.svg {
        write!(out, "{}", chart(&review, game.side_colours()))?;
    } else {
        text(&mut out, &game.title(), &review)?;
    }
    out.flush()?;
    let known = review.moves.iter().all(|m| m.mark != MoveMark::Unknown);
    Ok(if known { Exit::Answered } else { Exit::Unanswered })
}

/// The moves one by one. People write them with spaces, with commas (`b2,a1`, `moves:b2,a1`) or, where a move is one sign, with nothing between
/// them (`4453`). A word that is no move in any of these ways is left as it is, for the error that names it.
fn apart(game: &dyn AnyGame, start: &str, words: Vec<String>) -> Vec<String> {
    let mut position = start.to_owned();
    let mut moves = Vec::new();
    for word in &words {
        let list = word.strip_prefix("moves:").unwrap_or(word);
        let whole = vec![list.to_owned()];
        let commas = list.split([',', ';']).filter(|m| !m.is_empty()).map(str::to_owned).collect();
        let signs = list.chars().filter(|c| *c != ',').map(String::from).collect();
        let read = [whole, commas, signs].into_iter().find_map(|moves: Vec<String>| {
            let end = moves.iter().try_fold(position.clone(), |at, m| game.play(&at, m).ok())?;
            Some((end, moves))
        });
        let Some((end, read)) = read else { return words };
        position = end;
        moves.extend(read);
    }
    moves
}

/// The spec, the start and the moves that were given or are in the file.
fn game_of(
    context: &Context,
    asked: &Review,
) -> Result<(String, Option<String>, Vec<String>), crate::exit::Failure> {
    if !asked.moves.is_empty() {
        let moves = asked.moves.iter().flat_map(|word| word.split_whitespace()).map(str::to_owned);
        return Ok((asked.what.clone(), asked.from.clone(), moves.collect()));
    }
    let read = || format!("cannot read {}", asked.what);
    let text = if asked.what == "-" {
        io::read_to_string(io::stdin().lock()).map_err(failed(read()))?
    } else if asked.what.contains("://") {
        asked.what.clone()
    } else if Path::new(&asked.what).exists() {
        fs::read_to_string(&asked.what).map_err(failed(read()))?
    } else {
        let message = format!("'{}' is no file, and no moves are given", asked.what);
        return Err(Error::new(ErrorCode::BadArguments, message, "a file of records, or SPEC MOVES").into());
    };
    if !text.contains("ludex-game:") {
        let game = context.registry.import(&text)?;
        return Ok((game.spec, None, game.moves));
    }
    let mut games = record::read(&text)?;
    let Some(i) = asked.game.checked_sub(1).filter(|i| *i < games.len()) else {
        let hint = format!("it has {} games, numbered from 1", games.len());
        return Err(Error::new(ErrorCode::NoGame, format!("there is no game {}", asked.game), hint).into());
    };
    let record = games.swap_remove(i);
    Ok((record.spec, record.start, record.moves))
}

/// A mark in words.
const fn word(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Best => "best",
        MoveMark::Good => "good",
        MoveMark::LostWin => "lost the win",
        MoveMark::LostDraw => "lost the draw",
        MoveMark::Unknown => "not known",
    }
}

/// A worth in words: `win in 5`.
fn worth(worth: Worth) -> String {
    match (worth.outcome, worth.plies) {
        (None, _) => "?".into(),
        (Some(outcome), Some(plies)) if outcome != Outcome::Draw => format!("{outcome} in {plies}"),
        (Some(outcome), _) => outcome.to_string(),
    }
}

fn text(out: &mut impl Write, title: &str, review: &answer::Review) -> io::Result<()> {
    writeln!(out, "{title}")?;
    let wide = review.moves.iter().map(|m| m.text.chars().count()).max().unwrap_or(0);
    for (i, m) in review.moves.iter().enumerate() {
        let name = &review.sides[m.by.index()];
        write!(out, "{:>3} {name:<8} {:<wide$}  {:<10} {}", i + 1, m.text, worth(m.after), word(m.mark))?;
        match &m.better {
            Some(better) => writeln!(out, ": {better} was a {}", worth(m.before))?,
            None => writeln!(out)?,
        }
    }
    writeln!(out, "{}", review.sentence)
}

/// A bar for every move, up where the first side wins and down where the second does, with a mark on those that gave
/// something away.
fn chart(review: &answer::Review, colours: [&str; 2]) -> String {
    const STEP: f64 = 14.0;
    const HALF: f64 = 40.0;
    let width = STEP * review.moves.len().max(8) as f64 + 16.0;
    let mut svg = Svg::new(width, 2.0 * HALF + 28.0, &review.sentence);
    for (i, m) in review.moves.iter().enumerate() {
        let x = 8.0 + STEP * i as f64;
        let Some(outcome) = m.after.outcome else { continue };
        let (size, fill) = match outcome.winner(m.by) {
            Some(side) => {
                let size = HALF * (1.0 - 0.6 * f64::from(m.after.plies.unwrap_or(30).min(60)) / 60.0);
                (if side == Side::First { size } else { -size }, colours[side.index()])
            }
            None => (2.0, DRAW),
        };
        let top = if size > 0.0 { HALF + 8.0 - size } else { HALF + 8.0 };
        svg.shape(
            "rect",
            &[
                ("x", &short(x + 1.5)),
                ("y", &short(top)),
                ("width", &short(STEP - 3.0)),
                ("height", &short(size.abs())),
                ("class", &"bar"),
                ("fill", &fill),
                ("stroke", &GRID),
            ],
        );
        if matches!(m.mark, MoveMark::LostWin | MoveMark::LostDraw) {
            svg.text(x + STEP / 2.0, 2.0 * HALF + 18.0, 11.0, "mark loss", LOSS, &(i + 1).to_string());
        }
    }
    let line: [(&str, &dyn std::fmt::Display); 6] = [
        ("x1", &0),
        ("x2", &short(width)),
        ("y1", &short(HALF + 8.0)),
        ("y2", &short(HALF + 8.0)),
        ("class", &"axis"),
        ("stroke", &INK),
    ];
    svg.shape("line", &line);
    svg.finish()
}
