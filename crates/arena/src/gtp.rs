//! The Go Text Protocol as Hex programs speak it (HTP), for every game.
//!
//! A command is a line `[id] name arguments`; the answer is `=[id] text` or `?[id] error`, then a blank line. Moves are
//! in the game's own notation; with [`Dialect::Htp`] all cells have their column first.

use std::{
    io::{self, BufRead, Write},
    time::Duration,
};

use ludex_judge::{AnyGame, Budget, Error, Family, Goal, Outcome, Question, Registry, Side, Spec, Terms};

use crate::{
    cells,
    lines::LONGEST,
    player::{Player, Start, Turn},
    record::Score,
};

/// How cells are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dialect {
    /// As the game does.
    #[default]
    Own,
    /// Column first, as Hex programs do.
    Htp,
}

impl Dialect {
    /// Whether row and column of a game's cells change places in this dialect.
    #[must_use]
    pub fn swaps_cells(self, family: &Family) -> bool {
        self == Dialect::Htp && family.row_first
    }
}

/// The commands, in the order in which they are listed.
const COMMANDS: &[&str] = &[
    "name",
    "version",
    "protocol_version",
    "list_commands",
    "known_command",
    "boardsize",
    "clear_board",
    "set_position",
    "play",
    "undo",
    "genmove",
    "reg_genmove",
    "all_legal_moves",
    "showboard",
    "final_score",
    "time_settings",
    "time_left",
    "solve",
    "winning_moves",
    "pv",
    "quit",
];

/// An engine that answers commands.
pub struct Engine {
    registry: Registry,
    terms: Terms,
    game: Box<dyn AnyGame>,
    player: Box<dyn Player>,
    dialect: Dialect,
    start: String,
    /// The moves so far, with the position before each.
    made: Vec<(String, String)>,
    position: String,
    time: Option<Duration>,
    left: [Option<Duration>; 2],
}

/// The answer to a command: a text, or what was wrong.
type Response = Result<String, String>;

impl Engine {
    /// An engine for a game, with a player to choose its moves. When another board is asked for, the registry makes it.
    ///
    /// # Errors
    /// If the game has no start.
    pub fn new(
        registry: &Registry,
        game: Box<dyn AnyGame>,
        player: Box<dyn Player>,
        dialect: Dialect,
        time: Option<Duration>,
        seed: Option<u64>,
    ) -> Result<Self, Error> {
        let start = game.start(seed)?;
        Ok(Self {
            registry: registry.clone(),
            terms: Terms::default(),
            game,
            player,
            dialect,
            position: start.clone(),
            start,
            made: Vec::new(),
            time,
            left: [None; 2],
        })
    }

    /// The same with what the commands `solve`, `winning_moves` and `pv` may use.
    #[must_use]
    pub fn with_terms(mut self, terms: Terms) -> Self {
        self.terms = terms;
        self
    }

    /// Answer commands until `quit` or the end of the input. A line that is too long or no text is answered by an
    /// error as well.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let n = io::Read::take(&mut input, LONGEST as u64 + 1).read_until(b'\n', &mut bytes)?;
            if n == 0 {
                return Ok(());
            }
            if n > LONGEST {
                skip_line(&mut input)?;
                write!(output, "? line too long\n\n")?;
            } else if let Ok(line) = std::str::from_utf8(&bytes) {
                let (id, answer, quit) = self.command(line);
                let Some(answer) = answer else { continue };
                let (mark, text) = match answer {
                    Ok(text) => ('=', text),
                    Err(text) => ('?', text),
                };
                write!(output, "{mark}{id} {}\n\n", text.trim_end())?;
                if quit {
                    return output.flush();
                }
            } else {
                write!(output, "? not UTF-8\n\n")?;
            }
            output.flush()?;
        }
    }

    /// Answer one line: its id, the answer if it was a command, and whether it was the last.
    fn command(&mut self, line: &str) -> (String, Option<Response>, bool) {
        let line: String = line
            .split('#')
            .next()
            .unwrap_or_default()
            .chars()
            .filter(|c| *c == '\t' || !c.is_control())
            .collect();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let id = match words.first() {
            Some(word) if word.bytes().all(|b| b.is_ascii_digit()) => words.remove(0).to_owned(),
            _ => String::new(),
        };
        let Some((&name, arguments)) = words.split_first() else { return (id, None, false) };
        let answer = self.answer(name, arguments);
        (id, Some(answer), name == "quit")
    }

    fn answer(&mut self, name: &str, arguments: &[&str]) -> Response {
        let first = arguments.first().copied();
        match name {
            "name" => Ok("Ludex".into()),
            "version" => Ok(env!("CARGO_PKG_VERSION").into()),
            "protocol_version" => Ok("2".into()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "known_command" => Ok(COMMANDS.contains(&first.unwrap_or_default()).to_string()),
            "boardsize" => self.boardsize(arguments),
            "clear_board" => {
                self.made.clear();
                self.position = self.start.clone();
                Ok(String::new())
            }
            "set_position" => {
                let text = arguments.join(" ");
                let view = self.game.state(&text).map_err(message)?;
                (self.start, self.position) = (view.position.clone(), view.position);
                self.made.clear();
                Ok(String::new())
            }
            "play" => match arguments {
                [side, text] => self.play(Some(side), text),
                [text] => self.play(None, text),
                _ => Err("play SIDE MOVE".into()),
            },
            "undo" => match self.made.pop() {
                Some((before, _)) => {
                    self.position = before;
                    Ok(String::new())
                }
                None => Err("cannot undo".into()),
            },
            "genmove" | "reg_genmove" => self.generate(first, name == "genmove"),
            "all_legal_moves" => {
                let view = self.game.view(&self.position).map_err(message)?;
                Ok(view.moves.iter().map(|m| self.translated(&m.text)).collect::<Vec<_>>().join(" "))
            }
            "showboard" => self.game.picture(&self.position).map(|p| format!("\n{p}")).map_err(message),
            "final_score" => self.final_score(),
            "time_settings" => {
                let seconds: Option<f64> = arguments.get(1).or(first.as_ref()).and_then(|s| s.parse().ok());
                let seconds = seconds
                    .filter(|s| s.is_finite() && *s >= 0.0 && *s < 1e9)
                    .ok_or("time_settings MAIN MOVE STONES")?;
                self.time = (seconds > 0.0).then(|| Duration::from_secs_f64(seconds));
                Ok(String::new())
            }
            "time_left" => self.time_left(arguments),
            "solve" | "winning_moves" | "pv" => self.solve(name),
            "quit" => Ok(String::new()),
            _ => Err("unknown command".into()),
        }
    }

    /// A text of the game as the dialect writes it, or the other way round.
    fn translated(&self, text: &str) -> String {
        if self.dialect.swaps_cells(self.game.family()) { cells::swapped(text) } else { text.to_owned() }
    }

    fn boardsize(&mut self, arguments: &[&str]) -> Response {
        let sizes: Option<Vec<usize>> = arguments.iter().map(|a| a.parse().ok()).collect();
        let (columns, rows) = match sizes.as_deref() {
            Some(&[n]) => (n, n),
            Some(&[columns, rows]) => (columns, rows),
            _ => return Err("boardsize WIDTH HEIGHT".into()),
        };
        let form = self.game.family().size.ok_or("this game has no board size")?;
        let spec: Spec = self.game.spec().parse().map_err(message)?;
        let resized = form.resized(&spec, columns, rows);
        let game = self.registry.open(&resized).map_err(|_| "unacceptable size".to_owned())?;
        self.start = game.start(None).map_err(message)?;
        self.position = self.start.clone();
        self.made.clear();
        self.game = game;
        Ok(String::new())
    }

    fn side(&self, word: &str) -> Result<Side, String> {
        match word.to_ascii_lowercase().as_str() {
            "b" | "black" => Ok(Side::First),
            "w" | "white" => Ok(Side::Second),
            _ => self.game.side(word).map_err(message),
        }
    }

    fn play(&mut self, side: Option<&str>, text: &str) -> Response {
        let view = self.game.state(&self.position).map_err(message)?;
        if let Some(word) = side {
            let side = self.side(word)?;
            if side != view.to_move {
                return Err(format!(
                    "illegal move: it is not {}'s turn",
                    self.game.side_names()[side.index()]
                ));
            }
        }
        let text = self.translated(text);
        let next =
            self.game.play(&self.position, &text).map_err(|e| format!("illegal move: {}", e.message))?;
        let before = std::mem::replace(&mut self.position, next);
        self.made.push((before, text));
        Ok(String::new())
    }

    fn generate(&mut self, side: Option<&str>, keep: bool) -> Response {
        let view = self.game.state(&self.position).map_err(message)?;
        if view.over.is_some() {
            return Err("the game is over".into());
        }
        if let Some(word) = side {
            let side = self.side(word)?;
            if side != view.to_move {
                return Err(format!("it is not {}'s turn", self.game.side_names()[side.index()]));
            }
        }
        // A share of what is left, but no more than a move may take.
        let share = self.left[view.to_move.index()].map(|left| left / 20);
        let time = match (self.time, share) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let turn = Turn { game: self.game.as_ref(), position: &self.position, side: view.to_move, time };
        self.player
            .begin(
                self.game.as_ref(),
                view.to_move,
                Start { position: &self.position, text: &self.position, set_up: false },
            )
            .map_err(|e| e.to_string())?;
        let text = self.player.choose(&turn).map_err(|e| e.to_string())?;
        let shown = self.translated(&text);
        if keep {
            self.play(None, &shown)?;
        }
        Ok(shown)
    }

    fn final_score(&self) -> Response {
        let view = self.game.state(&self.position).map_err(message)?;
        Ok(match view.over.map(|outcome| Score::of(outcome, view.to_move)) {
            None | Some(Score::Unfinished) => "unfinished".into(),
            Some(Score::Won(Side::First)) => "B+".into(),
            Some(Score::Won(Side::Second)) => "W+".into(),
            Some(Score::Drawn) => "0".into(),
        })
    }

    fn time_left(&mut self, arguments: &[&str]) -> Response {
        let (Some(word), Some(seconds)) = (arguments.first(), arguments.get(1)) else {
            return Err("time_left SIDE SECONDS STONES".into());
        };
        let side = self.side(word)?;
        let seconds: f64 = seconds.parse().map_err(|_| "not a number of seconds".to_owned())?;
        if !(0.0..1e9).contains(&seconds) {
            return Err("not a number of seconds".into());
        }
        self.left[side.index()] = Some(Duration::from_secs_f64(seconds));
        Ok(String::new())
    }

    fn solve(&self, what: &str) -> Response {
        let budget = Budget { time: self.time.or(Some(Duration::from_secs(60))), ..Budget::default() };
        let goal = if what == "pv" { Goal::Distance } else { Goal::Wdl };
        let question = Question { goal, budget, ..Question::at(self.position.as_str()) };
        let unsettled = || "not settled in time".to_owned();
        if what == "winning_moves" {
            let analysis = self.game.analyze(&question, &self.terms).map_err(message)?;
            if analysis.moves.iter().any(|m| m.outcome.is_none()) {
                return Err(unsettled());
            }
            let winning = analysis.moves.iter().filter(|m| m.outcome == Some(Outcome::Win));
            return Ok(winning.map(|m| self.translated(&m.text)).collect::<Vec<_>>().join(" "));
        }
        let verdict = self.game.solve(&question, &self.terms).map_err(message)?;
        if !verdict.is_solved() {
            return Err(unsettled());
        }
        if what == "pv" {
            return Ok(verdict.pv.iter().map(|m| self.translated(m)).collect::<Vec<_>>().join(" "));
        }
        let outcome = verdict.outcome.ok_or_else(unsettled)?;
        Ok(match outcome.winner(verdict.to_move) {
            Some(side) => self.game.side_names()[side.index()].to_lowercase(),
            None => outcome.to_string(),
        })
    }
}

/// An error as the protocol tells it.
fn message(error: Error) -> String {
    error.message
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|&b| b == b'\n');
        let n = end.map_or(buffer.len(), |i| i + 1);
        input.consume(n);
        if end.is_some() {
            return Ok(());
        }
    }
}
