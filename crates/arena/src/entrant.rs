//! Who takes part in a tournament, as a line of text or an entry of a file.

use std::{net::TcpStream, time::Duration};

use ludex_judge::InputError;
use serde::Deserialize;

use crate::{
    builtin::{self, Builtin},
    connect4, gtp,
    lines::Lines,
    nexc,
    player::{Fault, Player},
    program::{self, GtpProgram, Line},
};

/// A player to be made, possibly several times for games side by side.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
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
    pub fn check(&self) -> Result<(), InputError> {
        let bad = |what: String, hint: &str| Err(InputError::new("bad_player", what, hint));
        match self {
            Entrant::Builtin(name) => match name.strip_prefix(connect4::PREFIX) {
                Some(level) => connect4::levels::level(level).map(|_| ()),
                None => builtin::kind(name).map(|_| ()),
            },
            Entrant::Program { name, command, connect, protocol } => {
                if command.is_empty() == connect.is_none() {
                    return bad(
                        format!("player '{name}' is neither a program nor an address, or both"),
                        "give command or connect",
                    );
                }
                match (protocol.as_str(), connect) {
                    ("gtp" | "htp", None) | ("nexc" | "nexc-deployed", _) => Ok(()),
                    ("gtp" | "htp", Some(_)) => bad(
                        format!("player '{name}' cannot speak {protocol} over TCP"),
                        "use nexc, or a command",
                    ),
                    (other, _) => {
                        bad(format!("there is no protocol '{other}'"), "gtp, htp, nexc, nexc-deployed")
                    }
                }
            }
        }
    }

    /// Make it.
    ///
    /// # Errors
    /// If it cannot be started or reached.
    pub fn make(&self, seed: u64) -> Result<Box<dyn Player>, Fault> {
        match self {
            Entrant::Builtin(name) => {
                if let Some(level) = name.strip_prefix(connect4::PREFIX) {
                    let level = connect4::levels::level(level).map_err(|e| Fault::Failed(e.message))?;
                    return Ok(Box::new(connect4::Seated::new(level, seed)));
                }
                Ok(Box::new(Builtin::named(name, seed).map_err(|e| Fault::Failed(e.message))?))
            }
            Entrant::Program { name, command, connect, protocol } => {
                let dialect = match protocol.as_str() {
                    "gtp" => return Ok(Box::new(GtpProgram::new(name.clone(), command, gtp::Dialect::Own)?)),
                    "htp" => return Ok(Box::new(GtpProgram::new(name.clone(), command, gtp::Dialect::Htp)?)),
                    "nexc-deployed" => nexc::Dialect::Deployed,
                    _ => nexc::Dialect::Documented,
                };
                let (lines, line) = match connect {
                    Some(address) => {
                        let failed =
                            |e: std::io::Error| Fault::Failed(format!("{address} cannot be reached: {e}"));
                        let stream = TcpStream::connect(address).map_err(failed)?;
                        stream.set_write_timeout(Some(Duration::from_secs(5))).map_err(failed)?;
                        (Lines::new(stream.try_clone().map_err(failed)?), Line::Socket(stream))
                    }
                    None => {
                        let (child, input, lines) = program::start(command)?;
                        (lines, Line::Process(child, input))
                    }
                };
                Ok(Box::new(nexc::Remote::new(name.clone(), lines, line, dialect)))
            }
        }
    }
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

    fn begin(
        &mut self,
        _: &dyn ludex_judge::AnyGame,
        _: ludex_judge::Side,
        _: crate::player::Start<'_>,
    ) -> Result<(), Fault> {
        Err(self.fault.clone())
    }

    fn choose(&mut self, _: &crate::player::Turn<'_>) -> Result<String, Fault> {
        Err(self.fault.clone())
    }
}
