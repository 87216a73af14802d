//! Who plays: the one trait that other people's programs and built-in players share.

use std::time::Duration;

use ludex_judge::{AnyGame, Error, ErrorCode, Outcome, Side, answer::Thought};

/// Why a player loses a game other than on the board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It took longer than it had.
    #[error("out of time")]
    TimedOut,
    /// Its connection or process has ended.
    #[error("has left")]
    Left,
    /// It sent a line that does not end.
    #[error("sent a line of more than {0} bytes")]
    TooLong(usize),
    /// It sent bytes that are not text.
    #[error("sent bytes that are not UTF-8")]
    NotText,
    /// It made a move that the rules do not allow.
    #[error("illegal move '{text}': {why}")]
    Illegal {
        /// What it sent.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// It did not keep to its protocol.
    #[error("broke its protocol: {0}")]
    Protocol(String),
    /// It could not be started, or could not answer.
    #[error("{0}")]
    Failed(String),
    /// This program is at fault, not the player: the game counts for nobody.
    #[error(transparent)]
    Internal(Error),
}

/// What goes wrong in a built-in player is its own fault, unless the program has contradicted itself.
impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error.code {
            ErrorCode::Contradiction | ErrorCode::Internal => Self::Internal(error),
            _ => Self::Failed(error.message),
        }
    }
}

/// What a player is asked.
#[derive(Clone, Copy)]
pub struct Turn<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The position, as text.
    pub position: &'a str,
    /// Who is to move: this player.
    pub side: Side,
    /// How long it may think; `None` if as long as it likes.
    pub time: Option<Duration>,
}

/// How a game went for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It ended on the board so for this player, or because the opponent was at fault.
    Over(Outcome),
    /// This player was at fault.
    AtFault,
}

/// Somebody who plays.
pub trait Player: Send {
    /// What it is called.
    fn name(&self) -> String;

    /// A game begins. `start` is where, and whether that is the game's own start.
    ///
    /// # Errors
    /// If the player cannot take part.
    fn begin(&mut self, game: &dyn AnyGame, side: Side, start: Start<'_>) -> Result<(), Fault> {
        let _ = (game, side, start);
        Ok(())
    }

    /// Choose a move.
    ///
    /// # Errors
    /// If the player is at fault.
    fn choose(&mut self, turn: &Turn<'_>) -> Result<String, Fault>;

    /// What was thought about the last move, if it was a guess.
    fn thought(&self) -> Option<&Thought> {
        None
    }

    /// A move was made, by the opponent or by this player.
    ///
    /// # Errors
    /// If the player is at fault.
    fn made(&mut self, side: Side, text: &str) -> Result<(), Fault> {
        let _ = (side, text);
        Ok(())
    }

    /// The game is over.
    fn end(&mut self, end: End) {
        let _ = end;
    }
}

/// Where a game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start<'a> {
    /// The position.
    pub position: &'a str,
    /// The same as it was given: the position, or the moves that lead to it (`moves:…`).
    pub text: &'a str,
    /// Whether it is another position than the game's own start.
    pub set_up: bool,
}
