//! What is wrong with something a user gave us.

/// Bad input: what was wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InputError {
    /// A stable word for programs, such as `bad_move`.
    pub code: &'static str,
    /// What was wrong, naming it.
    pub message: String,
    /// What would be right.
    pub hint: String,
}

impl InputError {
    /// An error with its code, what was wrong and what would be right.
    #[must_use]
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into() }
    }

    /// A fault in a game spec.
    #[must_use]
    pub fn spec(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new("bad_spec", message, hint)
    }

    /// A fault in the text of a position.
    #[must_use]
    pub fn position(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new("bad_position", message, hint)
    }

    /// A fault in the text of a move, or an illegal move.
    #[must_use]
    pub fn bad_move(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new("bad_move", message, hint)
    }
}
