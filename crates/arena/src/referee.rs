//! A TCP server that waits for two players, lets them play and keeps the record.

use std::{
    io,
    net::{TcpListener, TcpStream},
    time::Duration,
};

use ludex_judge::{AnyGame, Error, ErrorCode};

use crate::{
    contest::{self, Conditions},
    nexc::{self, Dialect, Remote},
    player::Player,
    program::Connection,
    record::Record,
};

/// What a referee lets its players play.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which form of the protocol it speaks.
    pub dialect: Dialect,
    /// Games between the same two players; the colours change after each.
    pub games: usize,
    /// Positions to begin with, used in turn, each for two games; the game's own start if there are none.
    pub starts: Vec<String>,
    /// The time for each move.
    pub time: Option<Duration>,
}

/// The player behind a socket. It cannot hold up the referee: writes to a player who does not read fail after a while.
fn player(stream: TcpStream, dialect: Dialect) -> io::Result<Remote<Connection>> {
    stream.set_write_timeout(Some(Duration::from_secs(5)))?;
    stream.set_nodelay(true)?;
    let name = stream.peer_addr().map_or_else(|_| "player".into(), |a| a.to_string());
    Ok(Remote::new(name, stream.try_clone()?, Connection::Socket(stream), dialect))
}

/// Wait for two players and let them play; `report` is given every record. Returns when the games are played, or a
/// player at fault cannot go on.
///
/// # Errors
/// If the socket fails, or a start is no position of the game, or one that the protocol cannot tell.
pub fn run(
    listener: &TcpListener,
    game: &dyn AnyGame,
    settings: &Settings,
    report: &mut dyn FnMut(&Record),
) -> Result<(), Error> {
    if settings.dialect == Dialect::Deployed {
        for start in &settings.starts {
            nexc::start_text(game, start)?;
        }
    }
    // The first to come plays first.
    let (mut a, mut b) = (accept(listener, settings.dialect)?, accept(listener, settings.dialect)?);
    let games = settings.games.max(1);
    for number in 0..games {
        let starts = &settings.starts;
        let start = (!starts.is_empty()).then(|| starts[number / 2 % starts.len()].clone());
        let conditions = Conditions { start, time: settings.time, ..Conditions::default() };
        let players: [&mut dyn Player; 2] = if number % 2 == 0 { [&mut a, &mut b] } else { [&mut b, &mut a] };
        let mut record = contest::play(game, players, &conditions, &mut |_, _| {})?;
        record.round = Some(format!("{} of {games}", number + 1));
        report(&record);
        // By the documented protocol a player leaves after its game.
        if settings.dialect == Dialect::Documented {
            break;
        }
    }
    a.dismiss();
    b.dismiss();
    Ok(())
}

/// Wait for a player; a connection that breaks at once is not one.
fn accept(listener: &TcpListener, dialect: Dialect) -> Result<Remote<Connection>, Error> {
    loop {
        let (stream, _) = listener.accept().map_err(|e| {
            let message = format!("no player can be accepted: {e}");
            Error::new(ErrorCode::Failed, message, "choose another address to listen on")
        })?;
        if let Ok(player) = player(stream, dialect) {
            return Ok(player);
        }
    }
}

/// A referee's file (TOML); every setting is optional.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
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

/// Change settings as the text of a file says: `spec`, `listen`, `dialect`, `seconds`, `games`, `openings`, and `start`, the
/// side that begins in them.
///
/// # Errors
/// If the text is not of that form.
pub fn configure(
    text: &str,
    spec: &mut String,
    listen: &mut String,
    settings: &mut Settings,
) -> Result<(), Error> {
    let bad = |what: String, hint: &str| Error::new(ErrorCode::BadConfig, what, hint);
    let file: File = toml::from_str(text).map_err(|e| {
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
        Some("documented") => settings.dialect = Dialect::Documented,
        Some("deployed") => settings.dialect = Dialect::Deployed,
        Some(other) => return Err(bad(format!("there is no dialect '{other}'"), "documented or deployed")),
    }
    if let Some(seconds) = file.seconds {
        if !(seconds > 0.0 && seconds < 1e6) {
            return Err(bad(format!("{seconds} is not a time"), "seconds = a number above 0"));
        }
        settings.time = Some(Duration::from_secs_f64(seconds));
    }
    settings.games = file.games.unwrap_or(settings.games);
    let side = |board: String| match &file.start {
        Some(side) if !board.contains(' ') && !board.starts_with("moves:") => format!("{board} {side}"),
        _ => board,
    };
    if !file.openings.is_empty() {
        settings.starts = file.openings.into_iter().map(side).collect();
    }
    Ok(())
}
