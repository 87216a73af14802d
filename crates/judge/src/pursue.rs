//! One slice of a proof search that several processes share: a leaf in, sharper numbers out, as plain data.

use ludex_core::{Bounds, Error, ErrorCode, Goal, Key as _, Notation, Probe as _, Stop, Window};
use ludex_search::{
    Ask,
    dfpn::{self, Limit, ProofTable},
};
use ludex_store::key_bytes;
use serde::{Deserialize, Serialize};

use crate::{Question, Terms, host::Host, monitor::Monitor, solvers};

/// What is asked of the start of a shared proof search, for who is to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Is it a win?
    Win,
    /// Is it at least a draw?
    Draw,
}

impl Asked {
    const fn window(self) -> Window {
        match self {
            Self::Win => Window::WIN,
            Self::Draw => Window::DRAW,
        }
    }
}

/// A number that may be infinite, which JSON has no word for: null.
mod number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        number.is_finite().then_some(*number).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
    }
}

/// A position of a shared proof search and how far to go there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leaf {
    /// The moves from the start, as a search makes them.
    pub way: Vec<String>,
    /// What is asked of the start.
    pub asked: Asked,
    /// Go on until the work left to show that its mover gets what he is asked for is more than this.
    #[serde(with = "number")]
    pub phi: f64,
    /// The same for the work to show that he does not.
    #[serde(with = "number")]
    pub delta: f64,
    /// Nodes before those limits count.
    pub least: u64,
    /// Nodes of the slice, at most.
    pub nodes: Option<u64>,
    /// Seconds of the slice, at most.
    pub seconds: Option<f64>,
    /// Facts that took fewer nodes are not handed back.
    pub worth: u64,
    /// At most so many facts are.
    pub facts: usize,
}

impl Leaf {
    fn limit(&self) -> Limit {
        Limit {
            phi: self.phi,
            delta: self.delta,
            least: self.least,
            nodes: self.nodes.unwrap_or(u64::MAX),
            time: self.seconds.and_then(|s| std::time::Duration::try_from_secs_f64(s).ok()),
            worth: self.worth,
            facts: self.facts,
        }
    }
}

/// A move of a leaf and what is known behind it, for who is to move there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    /// The move.
    #[serde(rename = "move")]
    pub text: String,
    /// The exact key behind it; empty if the game is over there.
    pub key: String,
    /// Whether the other side is to move there.
    pub alternates: bool,
    /// Work left to show that its mover gets what he is asked for.
    #[serde(with = "number")]
    pub phi: f64,
    /// Work left to show that he does not.
    #[serde(with = "number")]
    pub delta: f64,
}

/// What is known of a position below a leaf, for the tables of others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// The entry, word by word.
    pub entry: Vec<u64>,
    /// The moves from the start.
    pub way: Vec<String>,
    /// What is certain.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// Nodes it took.
    pub work: u64,
}

impl Fact {
    /// The exact key of the position, as text.
    #[must_use]
    pub fn key(&self) -> String {
        // After the key come two words of numbers and bounds, and the class of work.
        key_text(&self.entry[..self.entry.len().saturating_sub(3)])
    }
}

/// What a slice came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pursuit {
    /// Work left to show that the leaf's mover gets what he is asked for: 0 if he does.
    #[serde(with = "number")]
    pub phi: f64,
    /// Work left to show that he does not: 0 if he does not.
    #[serde(with = "number")]
    pub delta: f64,
    /// What is certain of the leaf.
    #[serde(flatten)]
    pub bounds: Bounds,
    /// The exact key of the leaf.
    pub key: String,
    /// Positions searched.
    pub nodes: u64,
    /// Time it took.
    pub seconds: f64,
    /// Whether the slice was over before the numbers reached their limits.
    pub used_up: bool,
    /// The moves worth searching, if the question is open.
    pub branches: Vec<Branch>,
    /// What was learnt below.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

impl Pursuit {
    /// Whether the question is answered, and how.
    #[must_use]
    pub fn answer(&self) -> Option<bool> {
        if self.phi == 0.0 {
            Some(true)
        } else if self.delta == 0.0 {
            Some(false)
        } else {
            None
        }
    }
}

/// A key as text: its bytes in hexadecimal digits.
fn key_text(words: &[u64]) -> String {
    key_bytes(words).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn over_before(text: &str) -> Error {
    Error::new(ErrorCode::GameOver, format!("the game is over before '{text}'"), "")
}

fn unlisted(text: &str) -> Error {
    Error::bad_move(format!("'{text}' is no move that a search makes here"), "")
}

fn called_off(stop: Stop) -> Error {
    Error::new(
        ErrorCode::Stopped,
        format!("the slice was called off: {stop:?}"),
        "the leaf is left as it was",
    )
}

impl<G: Notation> Host<G> {
    /// Search a leaf for one slice, with what others have found.
    pub(crate) fn pursue_leaf(
        &self,
        question: &Question,
        leaf: &Leaf,
        facts: &[Fact],
        terms: &Terms,
    ) -> Result<Pursuit, Error> {
        let monitor = Monitor::new(&question.budget, terms);
        let wanted = Question { solver: Some(solvers::DFPN.to_owned()), goal: Goal::Wdl, ..question.clone() };
        let task = self.task(&wanted, terms, &monitor)?;
        let (game, searched) = (self.game(), &task.game);
        // The position on the board, for the texts of moves, and the one that the search is in.
        let mut board = self.position_of(&wanted)?;
        let mut position = board;
        let mut window = leaf.asked.window();
        for text in &leaf.way {
            if game.outcome(&board).is_some() {
                return Err(over_before(text));
            }
            let m = game.parse_move(&board, text)?;
            if !searched.moves(&position).contains(&m) {
                return Err(unlisted(text));
            }
            let next = searched.step(&position, m);
            window = window.child(searched.side(&position) != searched.side(&next));
            (position, board) = (next, game.play(&board, m));
        }
        let mut memory = self.memory();
        let table = memory.proofs(&wanted);
        for fact in facts {
            // Nothing of another game or another width of keys gets in.
            if ProofTable::<G::Key>::bounds_of(&fact.entry).is_some_and(|found| !found.is_empty()) {
                table.restore(&fact.entry);
            }
        }
        let ask = Ask { game: searched, position, goal: Goal::Wdl, probe: &monitor, worker: 0 };
        let found = self.study().searches().pursue(&ask, window, leaf.limit(), table)?;
        if let Some(stop) = found.stopped {
            return Err(called_off(stop));
        }
        let below = |way: &[G::Move]| {
            leaf.way.iter().cloned().chain(self.texts(&board, way)).collect::<Vec<String>>()
        };
        let fact = |fact: dfpn::Fact<G::Move>| Fact {
            bounds: ProofTable::<G::Key>::bounds_of(&fact.entry).unwrap_or(Bounds::ALL),
            way: below(&fact.way),
            work: fact.work,
            entry: fact.entry,
        };
        Ok(Pursuit {
            phi: found.phi,
            delta: found.delta,
            bounds: found.bounds,
            key: key_text(searched.key(&position).words().as_ref()),
            nodes: found.nodes,
            seconds: monitor.elapsed().as_secs_f64(),
            used_up: found.used_up,
            branches: found
                .branches
                .iter()
                .map(|branch| Branch {
                    text: game.move_text(&board, branch.m),
                    key: branch.key.map_or_else(String::new, |key| key_text(key.words().as_ref())),
                    alternates: branch.alternates,
                    phi: branch.phi,
                    delta: branch.delta,
                })
                .collect(),
            facts: found.facts.into_iter().map(fact).collect(),
        })
    }
}
