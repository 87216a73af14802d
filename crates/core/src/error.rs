//! The one error of Ludex: a code for programs, what was wrong, and what would be right.
//!
//! Whatever fails, in whatever crate, reaches a person or a program as an [`Error`]. Its [`ErrorCode`] fixes the exit
//! code of the command line and the HTTP status of the server, so that neither is decided anywhere else.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was wrong, and what would be right.
///
/// ```
/// use ludex_core::{Error, ErrorCode};
///
/// let error = Error::bad_move("column d is full", "choose another");
/// assert_eq!(error.code, ErrorCode::BadMove);
/// assert_eq!((error.code.word(), error.code.exit(), error.code.status()), ("bad_move", 2, 400));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// A stable word for programs.
    pub code: ErrorCode,
    /// What was wrong, naming it.
    pub message: String,
    /// What would be right.
    pub hint: String,
}

impl Error {
    /// An error with its code, what was wrong and what would be right.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into() }
    }

    /// A fault in a game spec.
    #[must_use]
    pub fn spec(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(ErrorCode::BadSpec, message, hint)
    }

    /// A fault in the text of a position.
    #[must_use]
    pub fn position(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(ErrorCode::BadPosition, message, hint)
    }

    /// A fault in the text of a move, or an illegal move.
    #[must_use]
    pub fn bad_move(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(ErrorCode::BadMove, message, hint)
    }

    /// Two things that are both said to be certain exclude each other: one of them is wrong, and nothing that follows
    /// from them may be believed.
    #[must_use]
    pub fn contradiction(message: impl Into<String>) -> Self {
        Self::new(
            ErrorCode::Contradiction,
            message,
            "this is a fault in the program or in a file; please report the command and the position",
        )
    }

    /// The same error, said of a part of what was given: `line 3: …`.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $word:literal, $exit:literal, $status:literal;)*) => {
        /// What kind of error it is: a stable word, the exit code and the HTTP status that belong to it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ #[serde(rename = $word)] $name,)*
        }

        impl ErrorCode {
            /// Every code, in the order of the book's list.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The word in the machine interface.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// The exit code of a command that ends with it: 1 could not within the limits, 2 bad input, 3 a check failed.
            #[must_use]
            pub const fn exit(self) -> u8 {
                match self { $(Self::$name => $exit,)* }
            }

            /// The HTTP status of an answer with it.
            #[must_use]
            pub const fn status(self) -> u16 {
                match self { $(Self::$name => $status,)* }
            }
        }
    };
}

codes! {
    /// The command line cannot be read.
    BadArguments = "bad_arguments", 2, 400;
    /// The body of a request cannot be read.
    BadBody = "bad_body", 2, 400;
    /// A certificate proves nothing.
    BadCertificate = "bad_certificate", 3, 400;
    /// A checkpoint cannot be used.
    BadCheckpoint = "bad_checkpoint", 2, 400;
    /// A claim that is not true.
    BadClaim = "bad_claim", 2, 400;
    /// A referee's settings make no sense.
    BadConfig = "bad_config", 2, 400;
    /// The database cannot be used.
    BadDatabase = "bad_database", 2, 400;
    /// A text that is no date.
    BadDate = "bad_date", 2, 400;
    /// A number of plies that a book cannot cover.
    BadDepth = "bad_depth", 2, 400;
    /// A protocol has no such dialect.
    BadDialect = "bad_dialect", 2, 400;
    /// A file that is not what it should be.
    BadFile = "bad_file", 2, 400;
    /// A goal that is none.
    BadGoal = "bad_goal", 2, 400;
    /// A kind of job that is none.
    BadKind = "bad_kind", 2, 400;
    /// A layout of records that is none.
    BadLayout = "bad_layout", 2, 400;
    /// A level that is none.
    BadLevel = "bad_level", 2, 400;
    /// Too little memory, or more than there can be.
    BadMemory = "bad_memory", 2, 400;
    /// An address that is not asked with this method.
    BadMethod = "bad_method", 2, 405;
    /// A move that is none, or not a legal one.
    BadMove = "bad_move", 2, 400;
    /// No nodes at all.
    BadNodes = "bad_nodes", 2, 400;
    /// Another process of a build that builds something else.
    BadPeer = "bad_peer", 2, 400;
    /// A player that cannot take part.
    BadPlayer = "bad_player", 2, 400;
    /// A number of plies that cannot be.
    BadPlies = "bad_plies", 2, 400;
    /// A position that is none of the game.
    BadPosition = "bad_position", 2, 400;
    /// Another program that cannot be used.
    BadProgram = "bad_program", 2, 400;
    /// A game that cannot be played by a protocol.
    BadProtocol = "bad_protocol", 2, 400;
    /// A query of a request that cannot be read.
    BadQuery = "bad_query", 2, 400;
    /// A game record that cannot be read.
    BadRecord = "bad_record", 2, 400;
    /// A file of solved records that is wrong.
    BadRecords = "bad_records", 2, 400;
    /// A side that is none.
    BadSide = "bad_side", 2, 400;
    /// A game spec that is none.
    BadSpec = "bad_spec", 2, 400;
    /// A table of the paper that is none.
    BadTable = "bad_table", 2, 400;
    /// A number of threads that cannot be.
    BadThreads = "bad_threads", 2, 400;
    /// No time at all, or a text that is no time.
    BadTime = "bad_time", 2, 400;
    /// A tournament that cannot be held.
    BadTournament = "bad_tournament", 2, 400;
    /// The server has as much to do as it takes on.
    Busy = "busy", 1, 503;
    /// It was called off before its turn.
    Cancelled = "cancelled", 1, 400;
    /// A file or folder cannot be written to.
    CannotWrite = "cannot_write", 2, 400;
    /// Two certain things exclude each other.
    Contradiction = "contradiction", 3, 500;
    /// A file is damaged.
    Damaged = "damaged", 2, 400;
    /// An engine made no move.
    EngineFailed = "engine_failed", 2, 500;
    /// Something outside the program failed: a file, a network, a process.
    Failed = "failed", 2, 500;
    /// A page of another site wants to change something.
    ForeignOrigin = "foreign_origin", 2, 403;
    /// The game is over.
    GameOver = "game_over", 2, 400;
    /// A fault of the program.
    Internal = "internal", 3, 500;
    /// There is no opening book for this.
    NoBook = "no_book", 2, 400;
    /// A search that keeps no checkpoint.
    NoCheckpoint = "no_checkpoint", 2, 400;
    /// There is no database.
    NoDatabase = "no_database", 2, 400;
    /// A file has no game of this number.
    NoGame = "no_game", 2, 400;
    /// A game has no ply of this number.
    NoPly = "no_ply", 2, 400;
    /// No puzzle was found.
    NoPuzzle = "no_puzzle", 2, 404;
    /// A game begins with a deal, and none is given.
    NoStart = "no_start", 2, 400;
    /// There is nothing under this name.
    NotFound = "not_found", 2, 404;
    /// A table does not hold a position.
    NotInTable = "not_in_table", 2, 400;
    /// A command that needs a choice was given none.
    NothingNamed = "nothing_named", 2, 400;
    /// It would take more memory than it may.
    OutOfMemory = "out_of_memory", 2, 400;
    /// A search went on beyond its time and was given up.
    Overrun = "overrun", 1, 503;
    /// Another process of a build is gone.
    PeerLost = "peer_lost", 1, 503;
    /// It was stopped before its end; what was done is kept.
    Stopped = "stopped", 1, 503;
    /// Another process is building the same table.
    TableBusy = "table_busy", 1, 503;
    /// A table is damaged.
    TableDamaged = "table_damaged", 2, 400;
    /// The unfinished build of another table is in the way.
    TableInTheWay = "table_in_the_way", 2, 400;
    /// A table cannot be read or written.
    TableIo = "table_io", 2, 400;
    /// A table in a format that this program does not read.
    TableVersion = "table_version", 2, 400;
    /// It is too large for this.
    TooLarge = "too_large", 2, 413;
    /// One client asks for more than its share.
    TooMany = "too_many", 2, 429;
    /// Too many positions in one request.
    TooManyPositions = "too_many_positions", 2, 400;
    /// A request whose body takes too long to arrive.
    TooSlow = "too_slow", 2, 408;
    /// A host name that the server does not answer for.
    UnknownHost = "unknown_host", 2, 421;
    /// A level that a player does not have.
    UnknownLevel = "unknown_level", 2, 400;
    /// A built-in player that there is not.
    UnknownPlayer = "unknown_player", 2, 400;
    /// A rule that a game does not have.
    UnknownRule = "unknown_rule", 2, 400;
    /// A solver that there is not.
    UnknownSolver = "unknown_solver", 2, 400;
    /// An address that is too long to be read.
    UrlTooLong = "url_too_long", 2, 414;
    /// A solver of another game, or of another kind of question.
    WrongSolver = "wrong_solver", 2, 400;
    /// A table of another game.
    WrongTable = "wrong_table", 2, 400;
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_read_back() {
        let mut words: Vec<_> = ErrorCode::ALL.iter().map(|code| code.word()).collect();
        assert!(words.is_sorted(), "listed by word");
        words.dedup();
        assert_eq!(words.len(), ErrorCode::ALL.len());
        for code in ErrorCode::ALL {
            let text = serde_json::to_string(code).expect("text");
            assert_eq!(text, format!("\"{code}\""));
            assert_eq!(serde_json::from_str::<ErrorCode>(&text).expect("a code"), *code);
            assert!((1..=3).contains(&code.exit()) && (400..600).contains(&code.status()));
        }
    }
}
