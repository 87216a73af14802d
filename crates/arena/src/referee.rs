//! A TCP server that waits for two players, lets them play and keeps the record.

use std::{
    io,
    net::{TcpListener, TcpStream},
    time::Duration,
};

use ludex_judge::{AnyGame, InputError};

use crate::{
    contest::{self, Terms},
    lines::Lines,
    nexc::{Dialect, Remote},
    player::Player,
    program::Line,
    record::Record,
};

/// How the referee does its work.
#[derive(Clone, Debug)]
pub struct House {
    /// Which form of the protocol it speaks.
    pub dialect: Dialect,
    /// Games between the same two players; the colours change after each.
    pub games: usize,
    /// What each game is played under; the starts are used in turn.
    pub starts: Vec<String>,
    /// The time for each move.
    pub time: Option<Duration>,
}

/// A socket that cannot hold up the referee: writes to a player who does not read fail after a while.
fn seat(stream: TcpStream, dialect: Dialect) -> io::Result<Remote<Line>> {
    stream.set_write_timeout(Some(Duration::from_secs(5)))?;
    stream.set_nodelay(true)?;
    let name = stream.peer_addr().map_or_else(|_| "player".into(), |a| a.to_string());
    Ok(Remote::new(name, Lines::new(stream.try_clone()?), Line::Socket(stream), dialect))
}

/// Wait for two players and let them play; `report` is given every record. Returns when the games are played, or a
/// player at fault cannot go on.
///
/// # Errors
/// If the socket fails or a start is no position of the game.
pub fn host(
    listener: &TcpListener,
    game: &dyn AnyGame,
    house: &House,
    report: &mut dyn FnMut(&Record),
) -> Result<(), RefereeFault> {
    let mut seats = Vec::new();
    while seats.len() < 2 {
        let (stream, _) = listener.accept()?;
        if let Ok(player) = seat(stream, house.dialect) {
            seats.push(player);
        }
    }
    let (Some(mut a), Some(mut b)) = (seats.pop(), seats.pop()) else { return Ok(()) };
    // The first to come plays first.
    std::mem::swap(&mut a, &mut b);
    for number in 0..house.games.max(1) {
        let start = (!house.starts.is_empty()).then(|| house.starts[number / 2 % house.starts.len()].clone());
        let terms = Terms { start, time: house.time, ..Terms::default() };
        let players: [&mut dyn Player; 2] = if number % 2 == 0 { [&mut a, &mut b] } else { [&mut b, &mut a] };
        let mut record = contest::play(game, players, &terms, &mut |_, _| {})?;
        record.round = Some(format!("{} of {}", number + 1, house.games.max(1)));
        report(&record);
        // By the documented protocol a player leaves after its game.
        if house.dialect == Dialect::Documented {
            break;
        }
    }
    a.dismiss();
    b.dismiss();
    Ok(())
}

/// Why the referee could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RefereeFault {
    /// The network failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A start is no position.
    #[error(transparent)]
    Input(#[from] InputError),
}

/// The settings of a referee's file (TOML); each is optional.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    spec: Option<String>,
    listen: Option<String>,
    dialect: Option<String>,
    seconds: Option<f64>,
    games: Option<usize>,
    /// Boards to begin with; a side to move may follow each.
    #[serde(default)]
    openings: Vec<String>,
    /// Who moves first in all of them.
    start: Option<String>,
}

/// Change settings by the text of a file: `spec`, `listen`, `dialect`, `seconds`, `games`, `openings` and `start`, the side
/// that begins in them.
///
/// # Errors
/// If the text is not of the form.
pub fn configure(
    text: &str,
    spec: &mut String,
    listen: &mut String,
    house: &mut House,
) -> Result<(), InputError> {
    let bad = |what: String, hint: &str| InputError::new("bad_config", what, hint);
    let file: Settings = toml::from_str(text).map_err(|e| {
        bad(e.to_string().trim_end().to_owned(), "spec = \"nex:5x5\", games = 10, seconds = 5.0")
    })?;
    if let Some(value) = file.spec {
        *spec = value;
    }
    if let Some(value) = file.listen {
        *listen = value;
    }
    match file.dialect.as_deref() {
        None => {}
        Some("documented") => house.dialect = Dialect::Documented,
        Some("deployed") => house.dialect = Dialect::Deployed,
        Some(other) => return Err(bad(format!("there is no dialect '{other}'"), "documented or deployed")),
    }
    if let Some(seconds) = file.seconds {
        if !(seconds > 0.0 && seconds < 1e6) {
            return Err(bad(format!("{seconds} is no time"), "seconds = a number above 0"));
        }
        house.time = Some(Duration::from_secs_f64(seconds));
    }
    house.games = file.games.unwrap_or(house.games);
    let side = |board: String| match &file.start {
        Some(side) if !board.contains(' ') => format!("{board} {side}"),
        _ => board,
    };
    if !file.openings.is_empty() {
        house.starts = file.openings.into_iter().map(side).collect();
    }
    Ok(())
}
