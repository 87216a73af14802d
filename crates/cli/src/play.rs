//! `play`: a game in the terminal, or over a pipe.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    path::{Path, PathBuf},
};

use ludex_arena::{
    Player, Start, Turn,
    builtin::Builtin,
    entrant::Entrant,
    record::{Record, Score},
};
use ludex_core::{Budget, Error, ErrorCode, Side};
use ludex_judge::{AnyGame, Question, Terms, words};

use crate::{
    args::Play,
    context::Context,
    exit::{Done, Exit, Failure},
    help::program,
    output,
    prompt::Prompt,
};

const HELP: &str = "Type a move, or: moves, hint, analyze, undo, redo, save FILE, board, help, quit.";

/// The commands, as Tab completes them.
const COMMANDS: &[&str] = &["moves", "hint", "analyze", "undo", "redo", "save ", "board", "help", "quit"];

/// Play a game.
pub fn play(context: &Context, play: &Play) -> Done {
    let (game, start) = context.position_of(&play.at)?;
    let humans = humans(&*game, &play.human)?;
    let terms = context.tables_only();
    let [first, second] = [Side::First, Side::Second].map(|side| engine(&*game, play, &start, side, &terms));
    let engines = [first?, second?];
    let mut table = Game {
        colour: context.colour,
        terms,
        start,
        played: Vec::new(),
        undone: Vec::new(),
        saved: None,
        play,
        humans,
        engines,
        game,
    };
    table.run(&mut Prompt::new(COMMANDS)?, &mut io::stdout().lock())
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
    let seed = play.at.seed.unwrap_or(0);
    let mut player: Box<dyn Player> = match Builtin::named(&play.level, seed) {
        Ok(player) => {
            let player = player.with_threads(play.threads).with_memory(play.memory);
            Box::new(player.with_terms(terms.clone()))
        }
        Err(_) => entrant.make(seed, terms).map_err(fault)?,
    };
    player.begin(game, side, Start { position, text: position, set_up: false }).map_err(fault)?;
    Ok(player)
}

/// What an engine did wrong.
fn fault(fault: ludex_arena::Fault) -> Error {
    match fault {
        ludex_arena::Fault::Internal(error) => error,
        fault => Error::new(ErrorCode::EngineFailed, format!("the engine {fault}"), "try another --level"),
    }
}

/// A move and the position after it.
struct Ply {
    text: String,
    position: String,
}

struct Game<'a> {
    game: Box<dyn AnyGame>,
    play: &'a Play,
    humans: [bool; 2],
    engines: [Box<dyn Player>; 2],
    start: String,
    played: Vec<Ply>,
    /// What was taken back, the last of it first to come again.
    undone: Vec<Ply>,
    /// The file that this game was saved to.
    saved: Option<PathBuf>,
    terms: Terms,
    colour: bool,
}

impl Game<'_> {
    fn position(&self) -> &str {
        self.played.last().map_or(&self.start, |ply| &ply.position)
    }

    fn run(&mut self, prompt: &mut Prompt, out: &mut impl Write) -> Done {
        writeln!(out, "{}\n{HELP}", self.game.title())?;
        self.board(out)?;
        loop {
            let view = self.game.view(self.position())?;
            let name = self.game.side_names()[view.to_move.index()];
            if view.over.is_some() && !self.humans.contains(&true) {
                return Ok(Exit::Answered);
            }
            if view.over.is_none() && !self.humans[view.to_move.index()] {
                let position = self.played.last().map_or(&self.start, |ply| &ply.position);
                let turn =
                    Turn { game: &*self.game, position, side: view.to_move, time: Some(self.play.time) };
                let engine = &mut self.engines[view.to_move.index()];
                let text = engine.choose(&turn).map_err(fault)?;
                if let Some(thought) = engine.thought().filter(|_| self.play.info) {
                    output::thought(out, thought)?;
                }
                writeln!(out, "{} plays {}", self.tint(view.to_move, name), self.strong(&text))?;
                let position = self.game.play(self.position(), &text)?;
                self.played.push(Ply { text, position });
                self.board(out)?;
                continue;
            }
            let asked = format!("{}> ", self.tint(view.to_move, name));
            let moves = view.moves.into_iter().map(|m| m.text).collect();
            let Some(line) = prompt.read(&asked, moves, out)? else { return Ok(Exit::Answered) };
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
            "redo" | "r" => self.redo(out)?,
            "save" => writeln!(out, "save FILE writes the game for `ludex replay FILE`")?,
            "hint" | "h" => {
                let verdict = self.game.solve(&self.question(), &self.terms)?;
                let best = verdict.best.first().map_or(String::new(), |m| format!("Try {m}. "));
                writeln!(out, "{best}{}", output::said(&*self.game, &verdict))?;
            }
            "analyze" | "a" => {
                let analysis = self.game.analyze(&self.question(), &self.terms)?;
                output::analysis(out, &*self.game, &analysis)?;
            }
            line => match line.strip_prefix("save ") {
                Some(file) => self.save(Path::new(file.trim()), out)?,
                None => self.enter(line, out)?,
            },
        }
        Ok(true)
    }

    /// Make a move that was typed, or say what is wrong with it.
    fn enter(&mut self, typed: &str, out: &mut impl Write) -> Result<(), Failure> {
        match self.game.play(self.position(), typed) {
            Ok(position) => {
                let text = self.canonical(typed, &position)?;
                self.played.push(Ply { text, position });
                self.undone.clear();
                self.board(out)
            }
            Err(e) => {
                let fault = e.message.strip_prefix("move 1: ").unwrap_or(&e.message);
                Ok(writeln!(out, "{fault}: {}", e.hint)?)
            }
        }
    }

    /// The move as the game writes it, so that a record holds what every reader knows.
    fn canonical(&self, typed: &str, next: &str) -> Result<String, Error> {
        let moves = self.game.view(self.position())?.moves;
        let leads_there = |text: &str| self.game.play(self.position(), text).is_ok_and(|p| p == next);
        let found =
            moves.iter().find(|m| m.text == typed).or_else(|| moves.iter().find(|m| leads_there(&m.text)));
        Ok(found.map_or_else(|| typed.to_owned(), |m| m.text.clone()))
    }

    /// Whether a person is to move after so many plies.
    fn person_moves(&self, position: &str) -> Result<bool, Error> {
        Ok(self.humans[self.game.view(position)?.to_move.index()])
    }

    /// Take back to the last position in which a person was to move.
    fn undo(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let mut plies = self.played.len();
        while plies > 0 {
            plies -= 1;
            let before = plies.checked_sub(1).map_or(&self.start, |i| &self.played[i].position);
            if self.person_moves(before)? {
                self.undone.extend(self.played.drain(plies..).rev());
                return self.board(out);
            }
        }
        Ok(writeln!(out, "nothing to undo")?)
    }

    /// Play what was taken back, up to the next position in which a person is to move.
    fn redo(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        if self.undone.is_empty() {
            return Ok(writeln!(out, "nothing to redo")?);
        }
        while let Some(ply) = self.undone.pop() {
            self.played.push(ply);
            if self.person_moves(self.position())? {
                break;
            }
        }
        self.board(out)
    }

    /// Write the game to a file. A file that was there before is left alone.
    fn save(&mut self, file: &Path, out: &mut impl Write) -> Result<(), Failure> {
        let again = self.saved.as_deref() == Some(file);
        let mut how = OpenOptions::new();
        how.write(true).create(again).create_new(!again).truncate(again);
        let record = self.record()?.to_string();
        match how.open(file).and_then(|mut opened| opened.write_all(record.as_bytes())) {
            Ok(()) => {
                self.saved = Some(file.to_owned());
                let plies = self.played.len();
                writeln!(out, "{plies} plies saved: {} replay {}", program(), file.display())?;
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                writeln!(out, "{} is there already; choose another name", file.display())?;
            }
            Err(e) => writeln!(out, "{} cannot be written: {e}", file.display())?,
        }
        Ok(())
    }

    /// The game so far.
    fn record(&self) -> Result<Record, Error> {
        let view = self.game.view(self.position())?;
        let usual = self.game.start(None).is_ok_and(|start| start == self.start);
        Ok(Record {
            spec: self.game.spec(),
            players: self.humans.map(|human| if human { "human" } else { &self.play.level }.to_owned()),
            start: (!usual).then(|| self.start.clone()),
            moves: self.played.iter().map(|ply| ply.text.clone()).collect(),
            score: view.over.map_or(Score::Unfinished, |over| Score::of(over, view.to_move)),
            reason: view.why,
            round: None,
        })
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
