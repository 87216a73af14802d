//! Who takes part in a tournament, as a line of text or an entry of a file.

use std::{net::TcpStream, time::Duration};

use ludex_judge::{AnyGame, Error, ErrorCode, Side, Terms};
use serde::{Deserialize, Serialize};

use crate::{
    builtin::Builtin,
    connect4, gtp, nexc,
    player::{Fault, Player, Start, Turn},
    program::{self, Connection, GtpProgram},
};

/// A player to be made, possibly several times for games side by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Entrant {
    /// A built-in player by name.
    Builtin(String),
    /// Another program.
    Program {
        /// What it is called.
        name: String,
        /// The program and its arguments; it is started for every game.
        #[serde(default)]
        command: Vec<String>,
        /// Or an address to connect to.
        #[serde(default)]
        connect: Option<String>,
        /// `gtp`, `htp`, `nexc` or `nexc-deployed`.
        #[serde(default = "gtp_word")]
        protocol: String,
    },
}

fn gtp_word() -> String {
    "gtp".into()
}

/// What a program speaks.
#[derive(Clone, Copy)]
enum Protocol {
    Gtp(gtp::Dialect),
    Nexc(nexc::Dialect),
}

impl Protocol {
    fn named(word: &str) -> Result<Self, Error> {
        Ok(match word {
            "gtp" => Self::Gtp(gtp::Dialect::Own),
            "htp" => Self::Gtp(gtp::Dialect::Htp),
            "nexc" => Self::Nexc(nexc::Dialect::Documented),
            "nexc-deployed" => Self::Nexc(nexc::Dialect::Deployed),
            other => {
                let message = format!("there is no protocol '{other}'");
                return Err(Error::new(ErrorCode::BadPlayer, message, "gtp, htp, nexc, nexc-deployed"));
            }
        })
    }
}

impl Entrant {
    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Entrant::Builtin(name) | Entrant::Program { name, .. } => name,
        }
    }

    /// Whether it can be made at all.
    ///
    /// # Errors
    /// If its name or protocol is not known.
    pub fn check(&self) -> Result<(), Error> {
        let bad = |what: String, hint: &str| Err(Error::new(ErrorCode::BadPlayer, what, hint));
        let (name, command, connect, protocol) = match self {
            Entrant::Builtin(name) => return by_name(name, 0, &Terms::default()).map(drop),
            Entrant::Program { name, command, connect, protocol } => (name, command, connect, protocol),
        };
        match (Protocol::named(protocol)?, connect) {
            _ if command.is_empty() == connect.is_none() => bad(
                format!("player '{name}' has no program and no address, or both"),
                "give command or connect",
            ),
            (Protocol::Gtp(_), Some(_)) => {
                bad(format!("player '{name}' cannot speak {protocol} over TCP"), "use nexc, or a command")
            }
            _ => Ok(()),
        }
    }

    /// Make it. The terms are those of the searches of built-in players.
    ///
    /// # Errors
    /// If it cannot be started or reached.
    pub fn make(&self, seed: u64, terms: &Terms) -> Result<Box<dyn Player>, Fault> {
        let (name, command, connect, protocol) = match self {
            Entrant::Builtin(name) => {
                return Ok(by_name(name, seed, terms)?);
            }
            Entrant::Program { name, command, connect, protocol } => (name, command, connect, protocol),
        };
        let dialect = match Protocol::named(protocol)? {
            Protocol::Gtp(dialect) => {
                return Ok(Box::new(GtpProgram::new(name.clone(), command, dialect)?));
            }
            Protocol::Nexc(dialect) => dialect,
        };
        let name = name.clone();
        Ok(Box::new(match connect {
            Some(address) => {
                let failed = |e: std::io::Error| Fault::Failed(format!("{address} cannot be reached: {e}"));
                let stream = TcpStream::connect(address).map_err(failed)?;
                stream.set_write_timeout(Some(Duration::from_secs(5))).map_err(failed)?;
                let input = stream.try_clone().map_err(failed)?;
                nexc::Remote::new(name, input, Connection::Socket(stream), dialect)
            }
            None => {
                let (process, input, output) = program::start(command)?;
                nexc::Remote::new(name, output, Connection::Process(process, input), dialect)
            }
        }))
    }
}

/// The built-in player of a name: a level of one game's own opponent, or one that plays every game.
fn by_name(name: &str, seed: u64, terms: &Terms) -> Result<Box<dyn Player>, Error> {
    if let Some(level) = name.strip_prefix(connect4::PREFIX) {
        return Ok(Box::new(connect4::LevelPlayer::named(level, seed)?));
    }
    Ok(Box::new(Builtin::named(name, seed)?.with_terms(terms.clone())))
}

/// A player that could not be made: it is at fault from the start.
#[derive(Debug)]
pub(crate) struct Absent {
    pub name: String,
    pub fault: Fault,
}

impl Player for Absent {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, _: &dyn AnyGame, _: Side, _: Start<'_>) -> Result<(), Fault> {
        Err(self.fault.clone())
    }

    fn choose(&mut self, _: &Turn<'_>) -> Result<String, Fault> {
        Err(self.fault.clone())
    }
}
