//! What every command has: the games, how it prints, where tables lie, and how it is stopped.

use std::{
    io::{self, IsTerminal as _},
    path::PathBuf,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use clap::ColorChoice;
use ludex_core::{Cancel, Error, ErrorCode};
use ludex_judge::{AnyGame, Registry, Terms};

use crate::args::{Common, PositionArgs};

/// The variable that names the folder with tables.
const TABLES: &str = "LUDEX_TABLES";

/// What every command has.
#[derive(Debug)]
pub struct Context {
    /// The games.
    pub registry: Registry,
    /// Whether JSON lines are wanted.
    pub json: bool,
    /// Whether colours are.
    pub colour: bool,
    /// The folder with tables of whole games.
    pub tables: Option<PathBuf>,
}

impl Context {
    /// From the flags that every command has. The environment is read here and nowhere else.
    pub fn new(registry: Registry, common: &Common) -> Self {
        let from_environment = || std::env::var_os(TABLES).filter(|v| !v.is_empty()).map(PathBuf::from);
        Self {
            registry,
            json: common.json,
            colour: match common.color {
                ColorChoice::Always => true,
                ColorChoice::Never => false,
                ColorChoice::Auto => io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
            },
            tables: common.tables.clone().or_else(from_environment),
        }
    }

    /// Make the game of a spec.
    pub fn open(&self, spec: &str) -> Result<Box<dyn AnyGame>, Error> {
        self.registry.open(spec)
    }

    /// The game and the text of the position that were asked for.
    pub fn position_of(&self, at: &PositionArgs) -> Result<(Box<dyn AnyGame>, String), Error> {
        let game = self.open(&at.spec)?;
        let position = match &at.position {
            Some(text) => game.state(text)?.position,
            None => game.start(at.seed)?,
        };
        Ok((game, position))
    }

    /// The terms of a question: tables if there are some, stopped by Ctrl-C, no database.
    pub fn terms(&self) -> Result<Terms, Error> {
        Ok(Terms { cancel: self.cancel()?, ..self.tables_only() })
    }

    /// The terms of an engine, which Ctrl-C ends like any other program.
    pub fn tables_only(&self) -> Terms {
        Terms { tables: self.tables.clone(), ..Terms::default() }
    }

    /// A flag that Ctrl-C raises; a second Ctrl-C ends the program at once.
    pub fn cancel(&self) -> Result<Cancel, Error> {
        static RAISED: OnceLock<Cancel> = OnceLock::new();
        static INSTALLED: AtomicBool = AtomicBool::new(false);
        let cancel = RAISED.get_or_init(Cancel::new);
        if !INSTALLED.swap(true, Ordering::SeqCst) {
            ctrlc::set_handler(|| {
                let cancel = RAISED.get_or_init(Cancel::new);
                if cancel.is_cancelled() {
                    ludex_arena::process::end_all();
                    std::process::exit(130);
                }
                cancel.cancel();
            })
            .map_err(|e| Error::new(ErrorCode::Failed, format!("cannot listen for Ctrl-C: {e}"), ""))?;
        }
        Ok(cancel.clone())
    }
}
