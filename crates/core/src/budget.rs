//! How much a search may cost, and how it is called off.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The least memory a search can be given.
pub const MIN_MEMORY: u64 = 1 << 20;

/// Limits on a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Budget {
    /// Wall-clock time, in seconds.
    #[serde(with = "seconds")]
    #[schemars(with = "Option<f64>")]
    pub time: Option<Duration>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Bytes for tables and trees, at least [`MIN_MEMORY`].
    pub memory: u64,
    /// Threads, at least one.
    pub threads: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { time: None, nodes: None, memory: 1 << 30, threads: 1 }
    }
}

/// A time that may be missing, as a number of seconds.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.serialize_some(&time.as_secs_f64()),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Option::<f64>::deserialize(deserializer)?
            .map(|seconds| Duration::try_from_secs_f64(seconds).map_err(D::Error::custom))
            .transpose()
    }
}

/// A flag shared by whoever may cancel and whoever must stop.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raise it.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
