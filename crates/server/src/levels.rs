//! How well an engine plays: the arena's players, and the judge's own best move.

use std::sync::Arc;

use ludex_arena::{
    Player, Turn,
    builtin::{Builtin, kind},
};
use ludex_core::Rng;
use ludex_judge::{Cancel, Side, Store};

use crate::{
    ApiError,
    board::{self, PositionView},
    oracle::{self, Question},
};

/// A strength of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub what: &'static str,
}

/// All levels, best first.
pub const LEVELS: &[Level] = &[
    Level { name: "perfect", what: "Plays perfectly where the position can be solved in time" },
    Level { name: "level:5", what: "Looks at up to a million positions" },
    Level { name: "level:4", what: "Looks at up to a hundred thousand positions" },
    Level { name: "level:3", what: "Looks at up to ten thousand positions" },
    Level { name: "level:2", what: "Looks at up to a thousand positions" },
    Level { name: "level:1", what: "Looks at up to a hundred positions" },
    Level { name: "greedy", what: "Takes a win, sees the opponent's next move, knows nothing else" },
    Level { name: "random", what: "Plays any legal move" },
];

impl Level {
    /// The level of a name; the best one if there is none.
    ///
    /// # Errors
    /// If there is no such level.
    pub fn named(name: Option<&str>) -> Result<Self, ApiError> {
        let Some(name) = name else { return Ok(LEVELS[0]) };
        LEVELS.iter().find(|l| l.name == name).copied().ok_or_else(|| {
            let names: Vec<_> = LEVELS.iter().map(|l| l.name).collect();
            ApiError::bad_request(
                "bad_level",
                format!("there is no level '{name}'"),
                format!("levels: {}", names.join(", ")),
            )
        })
    }

    /// A move in an unfinished game.
    ///
    /// # Errors
    /// If the judge cannot be asked.
    pub fn choose(
        self,
        question: &Question,
        at: &PositionView,
        seed: u64,
        store: Option<&Arc<Store>>,
        cancel: &Cancel,
    ) -> Result<String, ApiError> {
        if self != LEVELS[0] {
            let game = board::open(&question.game)?;
            let side = if at.to_move == "first" { Side::First } else { Side::Second };
            let turn =
                Turn { game: game.as_ref(), position: &question.position, side, time: Some(question.time) };
            return Builtin::new(kind(self.name)?, seed).choose(&turn).map_err(|fault| {
                ApiError::bad_request("engine_failed", format!("the engine {fault}"), "choose another level")
            });
        }
        let answer = oracle::ask(question, store, cancel, None)?;
        let best: Vec<&str> =
            answer["best"].as_array().into_iter().flatten().filter_map(|m| m.as_str()).collect();
        let mut rng = Rng::new(seed);
        match rng.pick(&best) {
            Some(best) => Ok((*best).to_owned()),
            None => rng.pick(&at.moves).map(|m| m.text.clone()).ok_or_else(ApiError::internal),
        }
    }
}
