//! Players that need no other program: random, greedy, levels and perfect, for every game.
//!
//! A level is a number of nodes for a move: `level:1` has 100, every level ten times the one before. Half of them go into
//! an exact search; what it settles is played. Otherwise the other half goes into a deepening search on guesses. The
//! same seed plays the same game. `level:4-eval-bridges` is level 4 without the rule `eval-bridges`.

use std::time::Duration;

use ludex_core::Rng;
use ludex_judge::{AnyGame, Budget, Goal, InputError, Job, Limits, Outcome, Side, choose, wire};

use crate::player::{Fault, Player, Start, Turn};

/// The least and the greatest level.
pub const LEVELS: std::ops::RangeInclusive<u32> = 1..=9;

/// What kind of built-in player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any legal move.
    Random,
    /// A winning move if there is one, otherwise one that lets the opponent win at once only if all do.
    Greedy,
    /// Searches a limited number of nodes.
    Level(u32),
    /// Searches until it knows.
    Perfect,
}

/// A built-in player.
#[derive(Debug)]
pub struct Builtin {
    kind: Kind,
    seed: u64,
    chance: Rng,
    threads: usize,
    memory: u64,
    without: Vec<String>,
    name: String,
    terms: Job,
    thought: Option<wire::Thought>,
}

/// Read the name of a built-in player: `random`, `greedy`, `level:N`, `perfect`; rules to leave out may follow a dash.
///
/// # Errors
/// If there is no such player.
pub fn kind(name: &str) -> Result<Kind, InputError> {
    let level = |n: &str| n.parse().ok().filter(|n| LEVELS.contains(n)).map(Kind::Level);
    match name.split('-').next().unwrap_or_default() {
        "random" => Some(Kind::Random),
        "greedy" => Some(Kind::Greedy),
        "perfect" => Some(Kind::Perfect),
        other => other.strip_prefix("level").and_then(|n| level(n.trim_start_matches(':'))),
    }
    .ok_or_else(|| {
        InputError::new(
            "unknown_player",
            format!("there is no built-in player '{name}'"),
            format!("random, greedy, level:{} to level:{}, perfect", LEVELS.start(), LEVELS.end()),
        )
    })
}

impl Builtin {
    /// A player of a kind; the same seed makes the same choices.
    #[must_use]
    pub fn new(kind: Kind, seed: u64) -> Self {
        let name = match kind {
            Kind::Random => "random".into(),
            Kind::Greedy => "greedy".into(),
            Kind::Level(n) => format!("level:{n}"),
            Kind::Perfect => "perfect".into(),
        };
        Self {
            kind,
            seed,
            chance: Rng::new(seed),
            threads: 1,
            memory: 64 << 20,
            without: Vec::new(),
            name,
            terms: Job::default(),
            thought: None,
        }
    }

    /// The player of a name, which may leave out rules.
    ///
    /// # Errors
    /// If there is no such player.
    pub fn named(name: &str, seed: u64) -> Result<Self, InputError> {
        let without =
            name.split_once('-').into_iter().flat_map(|(_, rules)| rules.split('+').map(String::from));
        Ok(Self { without: without.collect(), name: name.to_owned(), ..Self::new(kind(name)?, seed) })
    }

    /// The same with threads to search with.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// The same with the database, the tables and the cancel switch of a job.
    #[must_use]
    pub fn with_terms(mut self, terms: Job) -> Self {
        self.terms = terms;
        self
    }

    /// The same with memory to search with, in bytes.
    #[must_use]
    pub fn with_memory(mut self, memory: u64) -> Self {
        self.memory = memory;
        self
    }

    fn any(&mut self, moves: &[String]) -> Result<String, Fault> {
        self.chance.pick(moves).cloned().ok_or_else(|| Fault::Failed("there is no move".into()))
    }

    fn greedy(&mut self, turn: &Turn<'_>, moves: &[String]) -> Result<String, Fault> {
        let wrong = |e: InputError| Fault::Failed(e.message);
        // Looking at every reply is only worth it where there are few.
        let few = moves.len() <= 60;
        let mut quiet = Vec::new();
        for m in moves {
            let after = turn.game.play(turn.position, m).map_err(wrong)?;
            let view = turn.game.view(&after).map_err(wrong)?;
            match view.over {
                Some(_) if won(view.to_move, view.over, turn.side) => return Ok(m.clone()),
                Some(Outcome::Draw) => quiet.push(m.clone()),
                Some(_) => {}
                None if few => {
                    let mut hangs = false;
                    for reply in &view.moves {
                        let end = turn
                            .game
                            .play(&after, &reply.text)
                            .and_then(|p| turn.game.view(&p))
                            .map_err(wrong)?;
                        if won(end.to_move, end.over, turn.side.other()) {
                            hangs = true;
                            break;
                        }
                    }
                    if !hangs {
                        quiet.push(m.clone());
                    }
                }
                None => quiet.push(m.clone()),
            }
        }
        if quiet.is_empty() { self.any(moves) } else { self.any(&quiet) }
    }

    /// What can be settled within half of the nodes is settled; otherwise the other half goes into a guess.
    fn search(&mut self, turn: &Turn<'_>, level: Option<u32>) -> Result<String, Fault> {
        let failed = |e: ludex_judge::Refusal| Fault::Failed(e.to_string());
        // Keep a margin for what happens around the search.
        let time = turn.time.map(|t| t.mul_f64(0.8).max(Duration::from_millis(2)));
        let nodes = level.map(|n| 10u64.pow(n + 1));
        let budget = Budget { time, nodes, memory: self.memory, threads: self.threads };
        let goal = if level.is_none() { turn.game.usual_goal() } else { Goal::Wdl };
        let without = self.without.clone();
        let job =
            Job { position: Some(turn.position.to_owned()), goal, budget, without, ..self.terms.clone() };
        let chosen = choose(turn.game, &job, limits(level)).map_err(failed)?;
        self.thought = chosen.thought;
        chosen.best.ok_or_else(|| Fault::Failed("found no move".into()))
    }
}

/// How far a level looks when it guesses; the greatest one if none is named.
fn limits(level: Option<u32>) -> Limits {
    let level = level.unwrap_or(*LEVELS.end());
    Limits { depth: 1 + level, breadth: 8 * (1 + level as usize) }
}

/// Whether a finished game is won for `side`.
fn won(to_move: Side, over: Option<Outcome>, side: Side) -> bool {
    match over {
        Some(Outcome::Win) => to_move == side,
        Some(Outcome::Loss) => to_move != side,
        _ => false,
    }
}

impl Player for Builtin {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, _: &dyn AnyGame, side: Side, start: Start<'_>) -> Result<(), Fault> {
        let salt = start.position.bytes().fold(0u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
        self.chance = Rng::new(self.seed ^ salt.wrapping_mul(2).wrapping_add(side.index() as u64));
        Ok(())
    }

    fn thought(&self) -> Option<&wire::Thought> {
        self.thought.as_ref()
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<String, Fault> {
        self.thought = None;
        let view = turn.game.view(turn.position).map_err(|e| Fault::Failed(e.message))?;
        let moves: Vec<String> = view.moves.into_iter().map(|m| m.text).collect();
        match self.kind {
            Kind::Random => self.any(&moves),
            Kind::Greedy => self.greedy(turn, &moves),
            Kind::Level(n) => self.search(turn, Some(n)),
            Kind::Perfect => self.search(turn, None),
        }
    }
}
