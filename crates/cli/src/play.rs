//! `play`: a game in the terminal, or over a pipe.

use std::io::{self, BufRead, IsTerminal as _, Write};

use ludex_arena::{Player, Start, Turn, builtin::Builtin, entrant::Entrant};
use ludex_core::{Budget, Error, ErrorCode, Side};
use ludex_judge::{AnyGame, Question, Terms, words};

use crate::{
    args::Play,
    context::Context,
    exit::{Done, Exit, Failure},
    output,
};

const HELP: &str = "Type a move, or: moves, hint, analyze, undo, board, help, quit.";

/// Play a game.
pub fn play(context: &Context, play: &Play) -> Done {
    let (game, start) = context.place(&play.place)?;
    let humans = humans(&*game, &play.human)?;
    let terms = context.tables_only();
    let [first, second] = [Side::First, Side::Second].map(|side| engine(&*game, play, &start, side, &terms));
    let engines = [first?, second?];
    let mut table = Game {
        colour: context.colour,
        terms,
        prompt: io::stdin().is_terminal(),
        history: vec![start],
        play,
        humans,
        engines,
        game,
    };
    table.run(&mut io::stdin().lock(), &mut io::stdout().lock())
}

/// Which sides are played at the keyboard.
fn humans(game: &dyn AnyGame, word: &str) -> Result<[bool; 2], Error> {
    Ok(match word {
        "both" => [true, true],
        "none" => [false, false],
        side => {
            let side = game.side(side)?;
            [side == Side::First, side == Side::Second]
        }
    })
}

/// Who plays a side that nobody sits at.
fn engine(
    game: &dyn AnyGame,
    play: &Play,
    position: &str,
    side: Side,
    terms: &Terms,
) -> Result<Box<dyn Player>, Error> {
    let entrant = Entrant::Builtin(play.level.clone());
    entrant.check()?;
    let seed = play.place.seed.unwrap_or(0);
    let mut player: Box<dyn Player> = match Builtin::named(&play.level, seed) {
        Ok(player) => {
            let player = player.with_threads(play.threads).with_memory(play.memory);
            Box::new(player.with_terms(terms.clone()))
        }
        Err(_) => entrant.make(seed, terms).map_err(fault)?,
    };
    player.begin(game, side, Start { position, set_up: false }).map_err(fault)?;
    Ok(player)
}

/// What an engine did wrong.
fn fault(fault: ludex_arena::Fault) -> Error {
    match fault {
        ludex_arena::Fault::Internal(error) => error,
        fault => Error::new(ErrorCode::EngineFailed, format!("the engine {fault}"), "try another --level"),
    }
}

struct Game<'a> {
    game: Box<dyn AnyGame>,
    play: &'a Play,
    humans: [bool; 2],
    engines: [Box<dyn Player>; 2],
    history: Vec<String>,
    terms: Terms,
    colour: bool,
    prompt: bool,
}

impl Game<'_> {
    fn position(&self) -> &str {
        self.history.last().map_or("", String::as_str)
    }

    fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Done {
        writeln!(out, "{}\n{HELP}", self.game.title())?;
        self.board(out)?;
        loop {
            let view = self.game.view(self.position())?;
            let name = self.game.side_names()[view.to_move.index()];
            if view.over.is_some() && !self.humans.contains(&true) {
                return Ok(Exit::Answered);
            }
            if view.over.is_none() && !self.humans[view.to_move.index()] {
                let position = self.history.last().map_or("", String::as_str);
                let turn =
                    Turn { game: &*self.game, position, side: view.to_move, time: Some(self.play.time) };
                let engine = &mut self.engines[view.to_move.index()];
                let m = engine.choose(&turn).map_err(fault)?;
                if let Some(thought) = engine.thought().filter(|_| self.play.info) {
                    output::thought(out, thought)?;
                }
                writeln!(out, "{} plays {}", self.tint(view.to_move, name), self.strong(&m))?;
                let next = self.game.play(self.position(), &m)?;
                self.history.push(next);
                self.board(out)?;
                continue;
            }
            if self.prompt {
                write!(out, "{}> ", self.tint(view.to_move, name))?;
                out.flush()?;
            }
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(Exit::Answered);
            }
            if !self.obey(line.trim(), out)? {
                return Ok(Exit::Answered);
            }
        }
    }

    /// Do what a line says; false means stop.
    fn obey(&mut self, line: &str, out: &mut impl Write) -> Result<bool, Failure> {
        match line {
            "" => {}
            "quit" | "q" | "exit" => return Ok(false),
            "help" | "?" => writeln!(out, "{HELP}")?,
            "board" | "b" => self.board(out)?,
            "moves" | "m" => {
                let moves = self.game.view(self.position())?.moves;
                let texts: Vec<_> = moves.iter().map(|m| m.text.as_str()).collect();
                writeln!(out, "{}", texts.join(" "))?;
            }
            "undo" | "u" => self.undo(out)?,
            "hint" | "h" => {
                let verdict = self.game.solve(&self.question(), &self.terms)?;
                let best = verdict.best.first().map_or(String::new(), |m| format!("Try {m}. "));
                writeln!(out, "{best}{}", output::said(&*self.game, &verdict))?;
            }
            "analyze" | "a" => {
                let analysis = self.game.analyze(&self.question(), &self.terms)?;
                output::analysis(out, &*self.game, &analysis)?;
            }
            m => match self.game.play(self.position(), m) {
                Ok(next) => {
                    self.history.push(next);
                    self.board(out)?;
                }
                Err(e) => {
                    let fault = e.message.strip_prefix("move 1: ").unwrap_or(&e.message);
                    writeln!(out, "{fault}: {}", e.hint)?;
                }
            },
        }
        Ok(true)
    }

    /// Take back to the last position in which a person was to move.
    fn undo(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let earlier = (0..self.history.len().saturating_sub(1))
            .rev()
            .find(|&i| self.game.view(&self.history[i]).is_ok_and(|view| self.humans[view.to_move.index()]));
        match earlier {
            Some(i) => {
                self.history.truncate(i + 1);
                self.board(out)?;
            }
            None => writeln!(out, "nothing to undo")?,
        }
        Ok(())
    }

    fn question(&self) -> Question {
        Question {
            goal: self.game.usual_goal(),
            budget: Budget {
                time: Some(self.play.time),
                memory: self.play.memory,
                threads: self.play.threads,
                ..Budget::default()
            },
            ..Question::at(self.position())
        }
    }

    fn board(&self, out: &mut impl Write) -> Result<(), Failure> {
        let view = self.game.view(self.position())?;
        write!(out, "\n{}", self.painted(&self.game.picture(self.position())?))?;
        if let Some(over) = view.over {
            let sentence = words::ended(self.game.side_names(), view.to_move, over);
            writeln!(out, "{} {}", self.strong(&sentence), view.why.unwrap_or_default())?;
        } else {
            let name = self.game.side_names()[view.to_move.index()];
            writeln!(out, "{} to move", self.tint(view.to_move, name))?;
        }
        out.flush()?;
        Ok(())
    }

    /// The board with the stones of the sides in their colours, where they are single letters.
    fn painted(&self, picture: &str) -> String {
        if !self.colour {
            return picture.to_owned();
        }
        let mut text = String::new();
        for line in picture.lines() {
            let mut letters = line.chars().peekable();
            let mut before = ' ';
            while let Some(c) = letters.next() {
                let alone = !before.is_alphanumeric() && letters.peek().is_none_or(|n| !n.is_alphanumeric());
                match c {
                    'x' | 'X' | 'B' | 'M' if alone => text.push_str(&self.tint(Side::First, &c.to_string())),
                    'o' | 'O' | 'W' if alone => text.push_str(&self.tint(Side::Second, &c.to_string())),
                    _ => text.push(c),
                }
                before = c;
            }
            text.push('\n');
        }
        text
    }

    /// A text in the colour that the game gives a side.
    fn tint(&self, side: Side, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let colour = self.game.side_colours()[side.index()];
        let part = |at: usize| colour.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match (part(1), part(3), part(5)) {
            // Black or white would not be seen on a terminal of the same colour.
            (Some(red), Some(green), Some(blue)) if (64..=230).contains(&red.max(green).max(blue)) => {
                format!("\x1b[1;38;2;{red};{green};{blue}m{text}\x1b[0m")
            }
            _ => self.strong(text),
        }
    }

    fn strong(&self, text: &str) -> String {
        if self.colour { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }
}
