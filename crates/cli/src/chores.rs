//! Work that a command hands to a farm with `--farm URL`, in parts, and waits for.

use std::time::{Duration, Instant};

use clap::Args as ClapArgs;
use ludex_core::{Error, ErrorCode};
use ludex_farm::{Chore, Chores, Farm};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{arena, assemble, book, context::Context, dataset, farm, help, progress::Bar, verbs};

/// Everything that a worker of this program can do in parts.
pub const ALL: Chores =
    &[&arena::Games, &assemble::Proofs, &book::Values, &dataset::Rows, &verbs::Classes, &verbs::Soaks];

/// Who does the work.
#[derive(Debug, ClapArgs)]
pub struct Through {
    /// Let the workers of this farm do it: sqlite:FILE, or postgres://USER@HOST/DATABASE
    #[arg(long, value_name = "URL")]
    pub farm: Option<String>,
}

/// How long a submission may wait for workers before somebody is told.
const PATIENCE: Duration = Duration::from_secs(3);

/// Have all parts of a chore done by a farm; what they came to, in their order. A command that is stopped leaves them to the
/// workers, and finds them again when it is given once more.
pub fn done<O: Serialize, P: Serialize, A: DeserializeOwned>(
    context: &Context,
    url: &str,
    chore: &dyn Chore,
    spec: &str,
    order: &O,
    parts: &[P],
) -> Result<Vec<A>, Error> {
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let cancel = context.cancel()?;
    let written = |e: serde_json::Error| {
        Error::new(
            ErrorCode::Internal,
            format!("an order cannot be written: {e}"),
            "please report the command",
        )
    };
    let order = serde_json::to_value(order).map_err(written)?;
    let parts = parts.iter().map(serde_json::to_value).collect::<Result<Vec<Value>, _>>().map_err(written)?;
    let mut farm = Farm::open(&farm::store(Some(url))?)?;
    let id = farm.submit_parts(chore, spec, &order, &parts)?;
    let bar = Bar::counting(parts.len() as u64, "parts");
    let (began, mut told) = (Instant::now(), false);
    let came_to = farm.gather(id, &cancel, &mut |it| {
        bar.count(it.done, it.of);
        if it.workers == 0 && !told && began.elapsed() > PATIENCE {
            told = true;
            let program = help::program();
            eprintln!("{program}: submission {id} waits for workers; start some with {program} farm work --store {url}");
        }
    })?;
    bar.clear();
    let Some(came_to) = came_to else {
        let message = format!("submission {id} is not done, and the workers go on with it");
        let hint = format!("the same command waits for it again; ludex farm cancel {id} calls it off");
        return Err(Error::new(ErrorCode::Stopped, message, hint));
    };
    let read = |value: Value| {
        serde_json::from_value(value).map_err(|e| {
            let message = format!("an answer of submission {id} cannot be read: {e}");
            Error::new(ErrorCode::Damaged, message, "see the versions of the workers")
        })
    };
    came_to.into_iter().map(read).collect()
}

/// Read what came from the queue.
pub fn read<T: DeserializeOwned>(value: &Value, what: &str) -> Result<T, Error> {
    T::deserialize(value)
        .map_err(|e| Error::new(ErrorCode::Damaged, format!("{what} of the queue cannot be read: {e}"), ""))
}

/// Refuse work that may take more memory than a worker has: with less it might come to something else.
pub fn within(memory: u64, granted: u64) -> Result<(), Error> {
    if memory <= granted {
        return Ok(());
    }
    let message = format!("each part may take {memory} bytes, and a worker has {granted}");
    Err(Error::new(ErrorCode::BadMemory, message, "give the workers more with --memory, or the command less"))
}
