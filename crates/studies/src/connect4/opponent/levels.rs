//! Levels of the opponent, from one that a child beats to one that never errs.

use ludex_core::{Error, ErrorCode, Game, Rng, Unlimited};
use ludex_games::connect4::{Board, Column, Connect4, Shape};
use ludex_search::think::{Options, think};

use super::evaluation::Heuristic;

/// How strong an opponent is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// What it is called.
    pub name: &'static str,
    /// What to expect.
    pub about: &'static str,
    /// Plies it looks ahead; `None`: more as the board fills.
    pub depth: Option<u32>,
    /// Moves in a hundred that it makes without looking.
    pub careless: u32,
    /// Nodes it may spend on the exact answer first; `None`: as many as it takes.
    pub exact: Option<u64>,
}

/// The levels, weakest first.
pub const LEVELS: [Level; 7] = [
    Level {
        name: "beginner",
        about: "sees one stone ahead and often does not look",
        depth: Some(1),
        careless: 50,
        exact: Some(0),
    },
    Level {
        name: "easy",
        about: "sees your answer, with lapses",
        depth: Some(2),
        careless: 25,
        exact: Some(0),
    },
    Level {
        name: "casual",
        about: "looks four plies ahead, with a lapse now and then",
        depth: Some(4),
        careless: 8,
        exact: Some(0),
    },
    Level { name: "club", about: "looks six plies ahead", depth: Some(6), careless: 0, exact: Some(0) },
    Level {
        name: "strong",
        about: "looks six to twelve plies ahead",
        depth: None,
        careless: 0,
        exact: Some(0),
    },
    Level {
        name: "expert",
        about: "knows the value when a short exact search finds it",
        depth: None,
        careless: 0,
        exact: Some(100_000),
    },
    Level {
        name: "perfect",
        about: "never loses a won game, nor a drawn one",
        depth: None,
        careless: 0,
        exact: None,
    },
];

/// The level of a name.
///
/// # Errors
/// If there is none.
pub fn level(name: &str) -> Result<Level, Error> {
    LEVELS.iter().find(|l| l.name == name).copied().ok_or_else(|| {
        let names: Vec<_> = LEVELS.iter().map(|l| l.name).collect();
        Error::new(
            ErrorCode::UnknownLevel,
            format!("there is no level '{name}'"),
            format!("levels: {}", names.join(", ")),
        )
    })
}

/// An opponent of a level on one board. The same seed makes the same choices.
pub struct Rated<S: Shape> {
    level: Level,
    game: Connect4<S>,
    heuristic: Heuristic<S>,
    chance: Rng,
}

impl<S: Shape> Rated<S> {
    /// An opponent on a board.
    #[must_use]
    pub fn new(game: Connect4<S>, level: Level, seed: u64) -> Self {
        Self { level, game, heuristic: Heuristic::new(game), chance: Rng::new(seed) }
    }

    /// Choose a move; none if the game is over. `exact` is asked for the best one where the level searches for it: with
    /// as many nodes as it may take, if there is a limit, and answers if it knows.
    ///
    /// # Errors
    /// Those of `exact`.
    pub fn choose<E>(
        &mut self,
        p: &Board<S::Word>,
        exact: impl FnOnce(Option<u64>) -> Result<Option<Column>, E>,
    ) -> Result<Option<Column>, E> {
        if self.game.outcome(p).is_some() {
            return Ok(None);
        }
        if self.chance.below(100) < self.level.careless as usize {
            let mut moves = Vec::new();
            self.game.each_move(p, |m| moves.push(m));
            return Ok(self.chance.pick(&moves).copied());
        }
        if self.level.exact != Some(0)
            && let Some(best) = exact(self.level.exact)?
        {
            return Ok(Some(best));
        }
        let options = Options { depth: self.level.depth, ..Options::default() };
        Ok(think(&self.game, &self.heuristic, p, options, &Unlimited).best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names() {
        assert_eq!(level("club").map(|l| l.depth), Ok(Some(6)));
        assert!(level("god").unwrap_err().hint.contains("perfect"));
    }

    #[test]
    fn only_the_strongest_ask_for_the_exact_move() {
        let game = Connect4::default();
        let p = game.root().expect("a start");
        let mut asked = Vec::new();
        for level in LEVELS {
            let mut rated = Rated::new(game, Level { careless: 0, ..level }, 1);
            let edge = rated.choose(&p, |nodes| {
                asked.push(nodes);
                Ok::<_, ()>(Some(Column(0)))
            });
            assert_eq!(edge == Ok(Some(Column(0))), level.exact != Some(0), "{}", level.name);
        }
        assert_eq!(asked, [Some(100_000), None]);
    }
}
