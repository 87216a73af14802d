//! How well an engine plays: the arena's players, and the judge's own best move.

use ludex_arena::{
    Player, Turn,
    builtin::{Builtin, kind},
};
use ludex_judge::{Cancel, Side};

use crate::{
    ApiError,
    board::{self, PositionView},
    oracle::{Kind, Oracle, Question},
};

/// A strength of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it does.
    pub what: &'static str,
}

const fn level(name: &'static str, title: &'static str, what: &'static str) -> Level {
    Level { name, title, what }
}

/// All levels, best first.
pub const LEVELS: &[Level] = &[
    level("perfect", "Perfect", "Plays perfectly where the position can be solved in time"),
    level("level:5", "Level 5", "Looks at up to a million positions"),
    level("level:4", "Level 4", "Looks at up to a hundred thousand positions"),
    level("level:3", "Level 3", "Looks at up to ten thousand positions"),
    level("level:2", "Level 2", "Looks at up to a thousand positions"),
    level("level:1", "Level 1", "Looks at up to a hundred positions"),
    level("greedy", "Greedy", "Takes a win, sees the opponent's next move, knows nothing else"),
    level("random", "Random", "Plays any legal move"),
];

/// A move, and whether it is known to be a best one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub text: String,
    /// Whether the position was solved.
    pub certain: bool,
}

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

    /// A move in an unfinished game, within the time of the question.
    ///
    /// # Errors
    /// If the judge cannot be asked.
    pub fn choose(
        self,
        oracle: &Oracle,
        question: &Question,
        at: &PositionView,
        seed: u64,
        cancel: &Cancel,
    ) -> Result<Choice, ApiError> {
        if self == LEVELS[0] {
            return perfect(oracle, question, at, cancel);
        }
        let game = board::open(&question.game)?;
        let side = if at.to_move == "first" { Side::First } else { Side::Second };
        let turn =
            Turn { game: game.as_ref(), position: &question.position, side, time: Some(question.time) };
        let mut player = Builtin::new(kind(self.name)?, seed).with_terms(oracle.terms(cancel));
        let text = player.choose(&turn).map_err(|fault| {
            ApiError::bad_request("engine_failed", format!("the engine {fault}"), "choose another level")
        })?;
        Ok(Choice { text, certain: false })
    }
}

/// The soonest win or the latest loss; if that takes too long, a move that keeps the outcome; if even that takes too
/// long, a guess.
fn perfect(
    oracle: &Oracle,
    question: &Question,
    at: &PositionView,
    cancel: &Cancel,
) -> Result<Choice, ApiError> {
    let goals: &[_] = if at.goal == "wdl" { &[("wdl", 2)] } else { &[("distance", 2), ("wdl", 4)] };
    for &(goal, part) in goals {
        let time = question.time / part;
        let asked = Question { kind: Kind::Solve, goal: goal.into(), time, ..question.clone() };
        let answer = oracle.ask(&asked, cancel, None)?;
        if let (true, Some(best)) = (answer["status"] == "solved", answer["best"][0].as_str()) {
            return Ok(Choice { text: best.to_owned(), certain: true });
        }
    }
    let guess = oracle.guess(&Question { time: question.time / 4, ..question.clone() }, cancel)?;
    let text = guess.or_else(|| at.moves.first().map(|m| m.text.clone())).ok_or_else(ApiError::internal)?;
    Ok(Choice { text, certain: false })
}
