//! Why a job was not done.

use ludex_core::InputError;
use ludex_store::{StoreError, checkpoint::CheckpointError};

/// A job that was refused before it began, or whose result could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// Something in the job was wrong.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The database could not be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The checkpoint could not be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

impl Refusal {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::Input(e) => e.code,
            Refusal::Store(_) => "bad_database",
            Refusal::Checkpoint(_) => "bad_checkpoint",
        }
    }

    /// What would be right.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Refusal::Input(e) => e.hint.clone(),
            Refusal::Store(e) => e.hint(),
            Refusal::Checkpoint(e) => e.hint(),
        }
    }
}
