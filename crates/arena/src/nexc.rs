//! The protocol of nexC players, in its documented and its deployed form.
//!
//! | server → player | documented | deployed |
//! |---|---|---|
//! | settings | `rR-cC#` | `rR-cC-B#` or `rR-cC-W#`, answered `ok`; then the start, answered `ok` |
//! | make a move | `?` | `Move?` |
//! | the opponent's move | `>MOVE` | `>MOVE`, answered `ok` |
//! | won, lost, drawn | `+` `-` `#` | the same, and `$` after the last game |
//! | fault | `!` | `!` |
//!
//! A move is stones and cells, such as `Ba1?c2`; a start is moves, each followed by `;`, or `;` alone. The documented form
//! writes a line end after each message, the deployed form none; both read messages with and without.

use std::{
    io::{self, Read, Write},
    thread,
    time::{Duration, Instant},
};

use ludex_judge::{AnyGame, Error, ErrorCode, Outcome, Registry, Side, Spec};

use crate::{
    messages::{Messages, canonical},
    player::{End, Fault, Player, Start, Turn},
};

/// The one game that this protocol is for.
pub const GAME: &str = "nex";

/// Which form of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dialect {
    /// As it is documented.
    #[default]
    Documented,
    /// As the players that exist speak it.
    Deployed,
}

impl Dialect {
    /// What ends a message.
    const fn end(self) -> &'static str {
        match self {
            Self::Documented => "\n",
            Self::Deployed => "",
        }
    }
}

/// How long a player may take to say `ok`.
const PATIENCE: Duration = Duration::from_secs(10);
/// The players that exist take what one read returns for a message. Where none of them answers, this keeps the next one
/// apart.
const APART: Duration = Duration::from_millis(250);
/// They read no more than this many bytes at a time.
const LONGEST_START: usize = 40;

/// Rows and columns of a board, and the player's side where it is told, from a settings line.
fn settings(line: &str) -> Option<(usize, usize, Option<Side>)> {
    let mut parts = line.trim().strip_suffix('#')?.split('-');
    let rows = parts.next()?.strip_prefix('r')?.parse().ok()?;
    let cols = parts.next()?.strip_prefix('c')?.parse().ok()?;
    let side = match parts.next() {
        None => None,
        Some("B") => Some(Side::First),
        Some("W") => Some(Side::Second),
        Some(_) => return None,
    };
    parts.next().is_none().then_some((rows, cols, side))
}

/// A start as the deployed form tells it, from a list of moves (`moves:Ba1?c2,Wb1?b2`) or a board.
///
/// # Errors
/// If the board cannot be reached by placing stones alone, so that its moves would have to be guessed, or there are more
/// moves than the players read.
pub fn start_text(game: &dyn AnyGame, start: &str) -> Result<String, Error> {
    let position = game.view(start)?.position;
    let empty = game.start(None)?;
    let moves: Vec<String> = match start.trim().strip_prefix("moves:") {
        Some(list) => list.split(',').map(str::trim).filter(|m| !m.is_empty()).map(canonical).collect(),
        None => placements(&position),
    };
    let reached = moves.iter().try_fold(empty, |p, m| game.play(&p, m)).ok();
    let bad = |message: String, hint: &str| Err(Error::new(ErrorCode::BadPosition, message, hint));
    if reached.as_deref() != Some(&position) {
        let message = format!("the deployed protocol tells a start by its moves, and {position} has none");
        return bad(message, "give the start as moves:Ba1?c2,Wb1?b2");
    }
    let text: String =
        if moves.is_empty() { ";".into() } else { moves.iter().map(|m| format!("{m};")).collect() };
    if text.len() > LONGEST_START {
        let message = format!("the start {text} has {} bytes", text.len());
        return bad(message, "players of the deployed protocol read 40 bytes at most, five moves or so");
    }
    Ok(text)
}

/// Moves that each place a stone and a neutral one, in the order of the cells, until the board looks like this.
fn placements(board: &str) -> Vec<String> {
    let mut cells = [const { Vec::new() }; 3];
    let rows = board.split_whitespace().next().unwrap_or_default().split('/');
    for (row, text) in ('a'..='z').zip(rows) {
        for (column, c) in text.chars().enumerate() {
            if let Some(kind) = "BW?".find(c) {
                cells[kind].push(format!("{row}{}", column + 1));
            }
        }
    }
    let [black, white, neutral] = cells;
    let mut stones = (black.iter().map(|c| format!("B{c}")), white.iter().map(|c| format!("W{c}")));
    let mut moves = Vec::new();
    for (i, cell) in neutral.iter().enumerate() {
        let stone = if i % 2 == 0 { stones.0.next() } else { stones.1.next() };
        moves.push(format!("{}?{cell}", stone.unwrap_or_default()));
    }
    moves
}

/// A player at the other end of a connection, by this protocol.
pub struct Remote<W: Write + Send> {
    name: String,
    messages: Messages,
    output: W,
    dialect: Dialect,
    side: Side,
    /// When it was told something that it does not answer.
    unanswered: Option<Instant>,
}

impl<W: Write + Send> Remote<W> {
    /// A player behind a stream and a way to write to it.
    pub fn new(name: String, stream: impl Read + Send + 'static, output: W, dialect: Dialect) -> Self {
        let messages = Messages::of_player(stream);
        Self { name, messages, output, dialect, side: Side::First, unanswered: None }
    }

    fn say(&mut self, message: &str) -> Result<(), Fault> {
        if let Some(last) = self.unanswered.take() {
            thread::sleep(APART.saturating_sub(last.elapsed()));
        }
        // One write, so that it can be one read.
        let text = format!("{message}{}", self.dialect.end());
        self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush()).map_err(|_| Fault::Left)
    }

    fn acknowledged(&mut self) -> Result<(), Fault> {
        match self.messages.next(Some(PATIENCE))?.as_str() {
            "ok" => Ok(()),
            other => Err(Fault::Protocol(format!(
                "'{}' instead of ok",
                other.chars().take(40).collect::<String>()
            ))),
        }
    }

    /// Tell the player that there are no more games.
    pub fn dismiss(&mut self) {
        if self.dialect == Dialect::Deployed {
            let _ = self.say("$");
        }
    }
}

impl<W: Write + Send> Player for Remote<W> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, game: &dyn AnyGame, side: Side, start: Start<'_>) -> Result<(), Fault> {
        let spec: Spec = game.spec().parse()?;
        let size = game.family().size.and_then(|form| form.read(&spec));
        let Some((columns, rows)) = size.filter(|_| spec.name == GAME) else {
            return Err(Fault::Failed("can only play Nex".into()));
        };
        self.side = side;
        self.messages.set_columns(columns);
        match self.dialect {
            Dialect::Documented if start.set_up => {
                Err(Fault::Failed("cannot be given a position by the documented protocol".into()))
            }
            Dialect::Documented => self.say(&format!("r{rows}-c{columns}#")),
            Dialect::Deployed => {
                let moves = start_text(game, start.text)?;
                let letter = if side == Side::First { 'B' } else { 'W' };
                self.say(&format!("r{rows}-c{columns}-{letter}#"))?;
                self.acknowledged()?;
                self.say(&moves)?;
                self.acknowledged()
            }
        }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<String, Fault> {
        self.say(if self.dialect == Dialect::Deployed { "Move?" } else { "?" })?;
        self.messages.next(turn.time)
    }

    fn made(&mut self, side: Side, text: &str) -> Result<(), Fault> {
        if side == self.side {
            return Ok(());
        }
        self.say(&format!(">{}", canonical(text)))?;
        if self.dialect == Dialect::Deployed { self.acknowledged() } else { Ok(()) }
    }

    fn end(&mut self, end: End) {
        let _ = self.say(match end {
            End::Over(Outcome::Win) => "+",
            End::Over(Outcome::Loss) => "-",
            End::Over(Outcome::Draw) => "#",
            End::AtFault => "!",
        });
        self.unanswered = Some(Instant::now()).filter(|_| self.dialect == Dialect::Deployed);
    }
}

/// How a session with a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// After a result, or at the end of a tournament.
    Finished,
    /// After `!`, or because the server went away in a game or could not be understood.
    AtFault,
}

/// How a player takes part in games on a server.
#[derive(Debug)]
pub struct Session<'a> {
    /// What makes the board of the size that the server names.
    pub registry: &'a Registry,
    /// What follows the size in the spec, such as `,rules=official`.
    pub rules: &'a str,
    /// The form of the protocol.
    pub dialect: Dialect,
    /// The time for a move.
    pub time: Option<Duration>,
}

/// A game in progress on a server.
struct Board {
    game: Box<dyn AnyGame>,
    position: String,
    /// The player's own last move: some servers repeat it.
    own_last: Option<String>,
    /// Where the telling of the start is, in the deployed form.
    start: Telling,
}

/// The start of a game as it is told, move by move. Its end cannot be seen, so it is answered at its first `;`; what follows
/// comes before the server's next message all the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    Unanswered,
    Answered,
    Over,
}

impl Board {
    fn play(&mut self, text: &str) -> Option<()> {
        self.position = self.game.play(&self.position, text).ok()?;
        Some(())
    }
}

impl Session<'_> {
    /// Play as a client of a server: read its messages, answer them with a player's moves.
    ///
    /// # Errors
    /// If the output fails.
    pub fn play(
        &self,
        input: impl Read + Send + 'static,
        mut output: impl Write,
        player: &mut dyn Player,
    ) -> io::Result<SessionEnd> {
        let mut messages = Messages::of_server(input);
        let mut board = None;
        let mut over = false;
        loop {
            let message = match messages.next(None) {
                Ok(message) => message,
                // A server may close the connection after the last game.
                Err(Fault::Left) if over => return Ok(SessionEnd::Finished),
                Err(_) => return Ok(SessionEnd::AtFault),
            };
            match message.as_str() {
                "$" => return Ok(SessionEnd::Finished),
                "!" => return Ok(SessionEnd::AtFault),
                "+" | "-" | "#" if self.dialect == Dialect::Documented => return Ok(SessionEnd::Finished),
                "+" | "-" | "#" => {
                    over = true;
                    continue;
                }
                _ => over = false,
            }
            let reply = if let Some((rows, columns, side)) = settings(&message) {
                messages.set_columns(columns);
                self.begin(rows, columns, side.unwrap_or(Side::First), player).map(|begun| {
                    board = Some(begun);
                    self.ok()
                })
            } else {
                board.as_mut().and_then(|board| self.answer(board, &message, player))
            };
            match reply {
                None => return Ok(SessionEnd::AtFault),
                Some(text) if text.is_empty() => {}
                Some(text) => {
                    output.write_all(format!("{text}{}", self.dialect.end()).as_bytes())?;
                    output.flush()?;
                }
            }
        }
    }

    /// What the deployed form answers to what needs no other answer.
    fn ok(&self) -> String {
        if self.dialect == Dialect::Deployed { "ok".into() } else { String::new() }
    }

    fn begin(&self, rows: usize, columns: usize, side: Side, player: &mut dyn Player) -> Option<Board> {
        let game = self.registry.open(&format!("{GAME}:{rows}x{columns}{}", self.rules)).ok()?;
        let position = game.start(None).ok()?;
        player
            .begin(game.as_ref(), side, Start { position: &position, text: &position, set_up: false })
            .ok()?;
        let start = if self.dialect == Dialect::Deployed { Telling::Unanswered } else { Telling::Over };
        Some(Board { game, position, own_last: None, start })
    }

    /// The answer to a message about a game, maybe an empty one; `None` if the message makes no sense.
    fn answer(&self, board: &mut Board, message: &str, player: &mut dyn Player) -> Option<String> {
        if board.start != Telling::Over && !message.starts_with('>') && !message.ends_with('?') {
            if message != ";" {
                board.play(message)?;
                return Some(String::new());
            }
            let first = std::mem::replace(&mut board.start, Telling::Answered) == Telling::Unanswered;
            return Some(if first { self.ok() } else { String::new() });
        }
        board.start = Telling::Over;
        if let Some(text) = message.strip_prefix('>') {
            if board.own_last.as_deref() != Some(text) {
                board.play(text)?;
            }
            return Some(self.ok());
        }
        if !["?", "Move?"].contains(&message) {
            return None;
        }
        let side = board.game.view(&board.position).ok()?.to_move;
        let turn = Turn { game: board.game.as_ref(), position: &board.position, side, time: self.time };
        let text = player.choose(&turn).ok()?;
        board.play(&text)?;
        board.own_last = Some(text.clone());
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_both_dialects() {
        assert_eq!(settings("r5-c7#"), Some((5, 7, None)));
        assert_eq!(settings("r5-c7-W#"), Some((5, 7, Some(Side::Second))));
        for bad in ["", "r5c7#", "r-c#", "r5-c7", "r5-c7-X#", "r5-c7-B-B#"] {
            assert_eq!(settings(bad), None, "{bad}");
        }
    }
}
