//! The levels of Connect Four's opponent as players of the arena, on boards of any size, by texts.

use ludex_core::{Error, Rng, Side};
use ludex_judge::Registry;
use ludex_standard::{Standard as _, open};
use ludex_studies::connect4::opponent::{
    Opponent,
    levels::{Level, level},
    opponent,
};

use crate::{
    contest::{Conditions, play},
    player::{Fault, Player, Turn},
    record::Score,
};

/// In tournaments a level plays under its name with this before it.
pub const PREFIX: &str = "connect4-";

/// A level as a player of the arena; the same seed makes the same choices.
pub struct LevelPlayer {
    level: Level,
    seed: u64,
    /// The board it plays on, and the opponent there.
    opponent: Option<(String, Box<dyn Opponent>)>,
}

impl LevelPlayer {
    /// A player of a level.
    #[must_use]
    pub const fn new(level: Level, seed: u64) -> Self {
        Self { level, seed, opponent: None }
    }

    /// The player of a level's name.
    ///
    /// # Errors
    /// If there is no such level.
    pub fn named(name: &str, seed: u64) -> Result<Self, Error> {
        Ok(Self::new(level(name)?, seed))
    }
}

impl Player for LevelPlayer {
    fn name(&self) -> String {
        format!("{PREFIX}{}", self.level.name)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<String, Fault> {
        let spec = turn.game.spec();
        let opponent = match &mut self.opponent {
            Some((board, opponent)) if *board == spec => opponent,
            other => {
                let made = opponent(&Registry::standard(), &spec, self.level, self.seed)?;
                &mut other.insert((spec, made)).1
            }
        };
        Ok(opponent.choose(turn.position)?)
    }
}

/// Let two levels play, in turns with either side, each game from a random opening of `opening` stones: the wins of the
/// one, draws, and the wins of the other.
///
/// # Errors
/// If the spec is not one of Connect Four.
pub fn contest(
    spec: &str,
    levels: [Level; 2],
    games: u32,
    opening: u32,
    seed: u64,
) -> Result<[u32; 3], Error> {
    let mut results = [0; 3];
    let game = open(spec)?;
    for number in 0..games {
        // Two games with changed sides begin alike.
        let mut chance = Rng::new(seed ^ u64::from(number / 2) << 20);
        let mut start = game.start(None)?;
        for _ in 0..opening {
            if let Some(m) = chance.pick(&game.view(&start)?.moves) {
                start = game.play(&start, &m.text)?;
            }
        }
        let swapped = number % 2 == 1;
        let mut first = LevelPlayer::new(levels[usize::from(swapped)], seed + u64::from(number));
        let mut second = LevelPlayer::new(levels[usize::from(!swapped)], seed + u64::from(number) + 7);
        let conditions = Conditions { start: Some(start), ..Conditions::default() };
        let record = play(game.as_ref(), [&mut first, &mut second], &conditions, &mut |_, _| {})?;
        let slot = match record.score {
            Score::Won(side) if (side == Side::First) != swapped => 0,
            Score::Won(_) => 2,
            _ => 1,
        };
        results[slot] += 1;
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use ludex_judge::{Outcome, Question, Terms};
    use ludex_studies::connect4::opponent::levels::LEVELS;

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
        let mut perfect = opponent(&Registry::standard(), "connect4:5x4", LEVELS[6], 1).expect("a game");
        let mut weak = opponent(&Registry::standard(), "connect4:5x4", LEVELS[0], 1).expect("a game");
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
                    let question = Question::at(position.clone());
                    let verdict = game.solve(&question, &Terms::default()).expect("a verdict");
                    owed = owed.max(verdict.outcome);
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
}
