//! The protocol of nexC players, in its documented and its deployed form.
//!
//! | server → player | documented | deployed |
//! |---|---|---|
//! | settings | `rR-cC#` | `rR-cC-B#` or `rR-cC-W#`, answered `ok`; then the board, answered `ok` |
//! | make a move | `?` | `Move?` |
//! | the opponent's move | `>MOVE` | `>MOVE`, answered `ok` |
//! | won, lost, drawn | `+` `-` `#` | the same, and `$` at the end of a tournament |
//! | fault | `!` | `!` |
//!
//! Every message is a line. A move is answered as stones and cells, such as `Ba1?c2`.

use std::{
    io::{self, BufRead, Write},
    time::Duration,
};

use ludex_judge::{AnyGame, Outcome, Registry, Side, Spec};

use crate::{
    lines::{LONGEST, Lines},
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
    /// As servers were found to speak it.
    Deployed,
}

/// How long a player may take to say `ok`.
const PATIENCE: Duration = Duration::from_secs(10);

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

/// A player at the other end of a connection, by this protocol.
pub struct Remote<W: Write + Send> {
    name: String,
    lines: Lines,
    output: W,
    dialect: Dialect,
    side: Side,
}

impl<W: Write + Send> Remote<W> {
    /// A player behind a stream and a way to write to it.
    pub fn new(name: String, lines: Lines, output: W, dialect: Dialect) -> Self {
        Self { name, lines, output, dialect, side: Side::First }
    }

    fn say(&mut self, line: &str) -> Result<(), Fault> {
        writeln!(self.output, "{line}").and_then(|()| self.output.flush()).map_err(|_| Fault::Left)
    }

    fn acknowledged(&mut self) -> Result<(), Fault> {
        match self.lines.next(Some(PATIENCE))?.trim() {
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
        let Some((cols, rows)) = size.filter(|_| spec.name == GAME) else {
            return Err(Fault::Failed("can only play Nex".into()));
        };
        self.side = side;
        match self.dialect {
            Dialect::Documented if start.set_up => {
                Err(Fault::Failed("cannot be given a position by the documented protocol".into()))
            }
            Dialect::Documented => self.say(&format!("r{rows}-c{cols}#")),
            Dialect::Deployed => {
                let letter = if side == Side::First { 'B' } else { 'W' };
                self.say(&format!("r{rows}-c{cols}-{letter}#"))?;
                self.acknowledged()?;
                self.say(start.position)?;
                self.acknowledged()
            }
        }
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<String, Fault> {
        self.say(if self.dialect == Dialect::Deployed { "Move?" } else { "?" })?;
        self.lines.next(turn.time)
    }

    fn made(&mut self, side: Side, text: &str) -> Result<(), Fault> {
        if side == self.side {
            return Ok(());
        }
        self.say(&format!(">{text}"))?;
        if self.dialect == Dialect::Deployed { self.acknowledged() } else { Ok(()) }
    }

    fn end(&mut self, end: End) {
        let _ = self.say(match end {
            End::Over(Outcome::Win) => "+",
            End::Over(Outcome::Loss) => "-",
            End::Over(Outcome::Draw) => "#",
            End::AtFault => "!",
        });
    }
}

/// How a session with a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// After a result, or at the end of a tournament.
    Finished,
    /// After `!`, or because the server went away or could not be understood.
    AtFault,
}

/// Play as a client of such a server: read its messages, answer them with a player's moves. `rules` is what follows
/// the size in the spec, such as `,rules=official`; the registry makes the board of the size that the server names.
///
/// # Errors
/// If the streams fail.
pub fn serve(
    registry: &Registry,
    mut input: impl BufRead,
    mut output: impl Write,
    player: &mut dyn Player,
    rules: &str,
    dialect: Dialect,
    time: Option<Duration>,
) -> io::Result<SessionEnd> {
    let mut board: Option<(Box<dyn AnyGame>, String)> = None;
    let mut own_last = None;
    let mut waiting_for_board = false;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if io::Read::take(&mut input, LONGEST as u64).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(SessionEnd::AtFault);
        }
        let Ok(line) = std::str::from_utf8(&bytes) else { return Ok(SessionEnd::AtFault) };
        let line = line.trim();
        let mut reply = |text: &str| writeln!(output, "{text}").and_then(|()| output.flush());
        if std::mem::take(&mut waiting_for_board) {
            let Some((game, position)) = &mut board else { return Ok(SessionEnd::AtFault) };
            let Ok(view) = game.view(line) else { return Ok(SessionEnd::AtFault) };
            *position = view.position;
            reply("ok")?;
            continue;
        }
        match line {
            "" => {}
            "?" | "Move?" => {
                let Some((game, position)) = &mut board else { return Ok(SessionEnd::AtFault) };
                let Ok(view) = game.view(position) else { return Ok(SessionEnd::AtFault) };
                let turn = Turn { game: game.as_ref(), position, side: view.to_move, time };
                let Ok(text) = player.choose(&turn) else { return Ok(SessionEnd::AtFault) };
                let Ok(next) = game.play(position, &text) else { return Ok(SessionEnd::AtFault) };
                reply(&text)?;
                *position = next;
                own_last = Some(text);
            }
            "+" | "-" | "#" => {
                if dialect == Dialect::Documented {
                    return Ok(SessionEnd::Finished);
                }
            }
            "$" => return Ok(SessionEnd::Finished),
            "!" => return Ok(SessionEnd::AtFault),
            other => {
                if let Some(text) = other.strip_prefix('>') {
                    let Some((game, position)) = &mut board else { return Ok(SessionEnd::AtFault) };
                    // Some servers repeat a player's own move to it.
                    if own_last.as_deref() != Some(text) {
                        let Ok(next) = game.play(position, text) else { return Ok(SessionEnd::AtFault) };
                        *position = next;
                    }
                    if dialect == Dialect::Deployed {
                        reply("ok")?;
                    }
                } else if let Some((rows, cols, side)) = settings(other) {
                    let Ok(game) = registry.open(&format!("{GAME}:{rows}x{cols}{rules}")) else {
                        return Ok(SessionEnd::AtFault);
                    };
                    let Ok(position) = game.start(None) else { return Ok(SessionEnd::AtFault) };
                    let begun = player.begin(
                        game.as_ref(),
                        side.unwrap_or(Side::First),
                        Start { position: &position, set_up: false },
                    );
                    if begun.is_err() {
                        return Ok(SessionEnd::AtFault);
                    }
                    board = Some((game, position));
                    own_last = None;
                    if dialect == Dialect::Deployed {
                        reply("ok")?;
                        waiting_for_board = true;
                    }
                } else {
                    return Ok(SessionEnd::AtFault);
                }
            }
        }
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
