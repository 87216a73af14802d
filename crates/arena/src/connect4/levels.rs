//! Levels of the opponent, from one that a child beats to one that never errs.

use ludex_core::{Goal, InputError, Rng, Side};
use ludex_judge::{AnyGame, Budget, Job, Outcome, Refusal, open};

use super::{Opponent, engine::Options, opponent};

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
pub fn level(name: &str) -> Result<Level, InputError> {
    LEVELS.iter().find(|l| l.name == name).copied().ok_or_else(|| {
        let names: Vec<_> = LEVELS.iter().map(|l| l.name).collect();
        InputError::new(
            "unknown_level",
            format!("there is no level '{name}'"),
            format!("levels: {}", names.join(", ")),
        )
    })
}

/// An opponent of a level at one game. The same seed makes the same choices.
pub struct Rated {
    level: Level,
    game: Box<dyn AnyGame>,
    heuristic: Box<dyn Opponent>,
    chance: Rng,
}

impl Rated {
    /// An opponent for a spec.
    ///
    /// # Errors
    /// If the spec is not one of Connect Four.
    pub fn new(spec: &str, level: Level, seed: u64) -> Result<Self, InputError> {
        let options = Options { depth: level.depth, ..Options::default() };
        Ok(Self { level, game: open(spec)?, heuristic: opponent(spec, options)?, chance: Rng::new(seed) })
    }

    /// Choose a move.
    ///
    /// # Errors
    /// If the text is no position, or the game is over in it.
    pub fn choose(&mut self, position: &str) -> Result<String, Refusal> {
        if self.chance.below(100) < self.level.careless as usize {
            let moves = self.game.view(position)?.moves;
            if let Some(any) = self.chance.pick(&moves) {
                return Ok(any.text.clone());
            }
        }
        if self.level.exact != Some(0) {
            let budget = Budget { nodes: self.level.exact, memory: 64 << 20, ..Budget::default() };
            let job = Job { position: Some(position.into()), goal: Goal::Distance, budget, ..Job::default() };
            let verdict = self.game.solve(&job)?;
            if let (Some(best), "solved") = (verdict.best.first(), verdict.status) {
                return Ok(best.clone());
            }
        }
        Ok(self.heuristic.choose(position)?.0)
    }
}

/// Wins of the first, draws, and wins of the second of two levels.
pub type Result3 = [u32; 3];

/// Let two levels play, in turns with either side, each game from a random opening of `opening` stones.
///
/// # Errors
/// If the spec is not one of Connect Four.
pub fn contest(
    spec: &str,
    levels: [Level; 2],
    games: u32,
    opening: u32,
    seed: u64,
) -> Result<Result3, Refusal> {
    let mut results = [0; 3];
    let game = open(spec)?;
    for number in 0..games {
        // Two games with changed sides begin alike.
        let mut chance = Rng::new(seed ^ u64::from(number / 2) << 20);
        let mut position = game.start(None)?;
        for _ in 0..opening {
            let moves = game.view(&position)?.moves;
            if let Some(m) = chance.pick(&moves) {
                position = game.play(&position, &m.text)?;
            }
        }
        let swapped = number % 2 == 1;
        let mut players = [
            Rated::new(spec, levels[usize::from(swapped)], seed + u64::from(number))?,
            Rated::new(spec, levels[usize::from(!swapped)], seed + u64::from(number) + 7)?,
        ];
        let winner = loop {
            let view = game.view(&position)?;
            match view.over {
                Some(Outcome::Draw) => break None,
                Some(Outcome::Loss) => break Some(view.to_move.other()),
                Some(Outcome::Win) => break Some(view.to_move),
                None => {}
            }
            let m = players[view.to_move.index()].choose(&position)?;
            position = game.play(&position, &m)?;
        };
        let slot = match winner {
            None => 1,
            Some(side) if (side == Side::First) != swapped => 0,
            Some(_) => 2,
        };
        results[slot] += 1;
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_levels_beat_weaker_ones() {
        let [won, _, lost] = contest("connect4", [LEVELS[3], LEVELS[0]], 6, 2, 1).expect("a contest");
        assert!(won > lost && won >= 4, "{won} to {lost}");
    }

    /// A child that sees a four one stone ahead, and overlooks every fifth.
    #[test]
    fn a_child_beats_the_beginner() {
        let child = Level { name: "child", about: "", depth: Some(1), careless: 20, exact: Some(0) };
        let [won, _, lost] = contest("connect4", [child, LEVELS[0]], 20, 2, 1).expect("a contest");
        assert!(won > 2 * lost, "{won} to {lost}");
    }

    #[test]
    fn the_perfect_level_wins_what_is_won() {
        let mut perfect = Rated::new("connect4:5x4", level("perfect").expect("a level"), 1).expect("a game");
        let mut weak = Rated::new("connect4:5x4", LEVELS[0], 1).expect("a game");
        let game = open("connect4:5x4").expect("a game");
        for seed in 0..6 {
            let mut position = game.start(None).expect("a start");
            let mut rng = Rng::new(seed);
            let perfect_side = if seed % 2 == 0 { Side::First } else { Side::Second };
            let mut owed = None;
            loop {
                let view = game.view(&position).expect("a position");
                if let Some(over) = view.over {
                    let perfect_lost = over == Outcome::Loss && view.to_move == perfect_side;
                    assert!(!perfect_lost, "5x4 is a draw, so it never loses");
                    assert!(owed != Some(Outcome::Win) || over == Outcome::Loss, "what was won is won");
                    break;
                }
                let m = if view.to_move == perfect_side {
                    let job = Job { position: Some(position.clone()), ..Job::default() };
                    owed = owed.max(game.solve(&job).expect("a verdict").bounds.outcome());
                    perfect.choose(&position).expect("a move")
                } else if rng.below(2) == 0 {
                    weak.choose(&position).expect("a move")
                } else {
                    rng.pick(&view.moves).expect("a move").text.clone()
                };
                position = game.play(&position, &m).expect("a legal move");
            }
        }
    }

    #[test]
    fn levels_have_names() {
        assert_eq!(level("club").map(|l| l.depth), Ok(Some(6)));
        assert!(level("god").unwrap_err().hint.contains("perfect"));
    }
}
