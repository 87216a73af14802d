//! A game at work: the façade over a concrete type.

use std::{
    ops::{Deref, DerefMut, Range},
    sync::{Mutex, MutexGuard, TryLockError},
};

use ludex_core::{
    Error, ErrorCode, Fact, Family, Goal, Layout, Mark, Notation, Scene, Side, Switch, perft, sort_by,
};
use ludex_proof::{Claim, rules::Rules};
use ludex_search::think::Limits;

use crate::{
    Leaf, Met, Pursuit, Question, SharedFact, Study, Style, Terms, Told,
    answer::{
        Analysis, Complexity, Evaluation, EvaluationKind, Explanation, Opening, Puzzle, Source, Thought,
        ThoughtKind, Verdict,
    },
    any_game::{AnyGame, Count, MoveView, State, View},
    complete::{COMPLETE, left_out},
    complexity, explain, greedy,
    monitor::Monitor,
    openings, puzzle,
    solvers::{Memory, SOLVERS},
    study::NoStudy,
};
#[cfg(feature = "files")]
use crate::{known::Opened, table::AnyTable};

/// Host a game that has nothing beyond rules and knowledge.
pub fn host<G: Notation>(game: G, family: &'static Family) -> Box<dyn AnyGame> {
    host_with(game, family, NoStudy)
}

/// Host a game with its study.
pub fn host_with<G: Notation>(
    game: G,
    family: &'static Family,
    study: impl Study<G> + 'static,
) -> Box<dyn AnyGame> {
    host_studied(game, family, Box::new(study))
}

/// Host a game with a study that was made elsewhere: the searches are compiled there, and the rest here.
pub fn host_studied<G: Notation>(
    game: G,
    family: &'static Family,
    study: Box<dyn Study<G>>,
) -> Box<dyn AnyGame> {
    Box::new(Host {
        game,
        family,
        study,
        memory: Mutex::new(Memory::new()),
        #[cfg(feature = "files")]
        table: Mutex::new(None),
    })
}

/// A game with its study and the memory of its searches.
pub(crate) struct Host<G: Notation> {
    game: G,
    pub(crate) family: &'static Family,
    study: Box<dyn Study<G>>,
    memory: Mutex<Memory<G>>,
    /// The game's table in a folder that was asked for, if there is a sound one.
    #[cfg(feature = "files")]
    pub(crate) table: Mutex<Option<Opened<G>>>,
}

/// The memory of a search: the one that is kept, or one of its own.
pub(crate) enum Held<'a, G: Notation> {
    Kept(MutexGuard<'a, Memory<G>>),
    Own(Box<Memory<G>>),
}

impl<G: Notation> Deref for Held<'_, G> {
    type Target = Memory<G>;

    fn deref(&self) -> &Memory<G> {
        match self {
            Self::Kept(memory) => memory,
            Self::Own(memory) => memory,
        }
    }
}

impl<G: Notation> DerefMut for Held<'_, G> {
    fn deref_mut(&mut self) -> &mut Memory<G> {
        match self {
            Self::Kept(memory) => memory,
            Self::Own(memory) => memory,
        }
    }
}

impl<G: Notation> Host<G> {
    pub(crate) fn game(&self) -> &G {
        &self.game
    }

    pub(crate) fn study(&self) -> &dyn Study<G> {
        &*self.study
    }

    /// What the searches remember, for whoever asks next. While another question is being answered, an empty one: to wait
    /// for the other would be to keep its limits instead of one's own.
    pub(crate) fn memory(&self) -> Held<'_, G> {
        match self.memory.try_lock() {
            Ok(kept) => Held::Kept(kept),
            // After a panic the tables are still tables: a lost entry costs time, never truth.
            Err(TryLockError::Poisoned(kept)) => Held::Kept(kept.into_inner()),
            Err(TryLockError::WouldBlock) => Held::Own(Box::new(Memory::new())),
        }
    }

    fn start_position(&self, seed: Option<u64>) -> Result<G::Position, Error> {
        let start = match seed {
            Some(seed) => self.game.deal(seed),
            None => self.game.root(),
        };
        start.ok_or_else(|| {
            Error::new(
                ErrorCode::NoStart,
                format!("{} begins with a deal, and none is given", self.game.spec()),
                "give a deal in the spec, a position, or --seed N",
            )
        })
    }

    fn read(&self, text: &str) -> Result<G::Position, Error> {
        self.game.parse_position(text)
    }

    /// The position that a question is about.
    pub(crate) fn position_of(&self, question: &Question) -> Result<G::Position, Error> {
        match &question.position {
            Some(text) => self.read(text),
            None => self.start_position(question.seed),
        }
    }

    fn state_of(&self, p: &G::Position) -> State {
        State {
            position: self.game.position_text(p),
            to_move: self.game.side(p),
            over: self.game.outcome(p),
            why: self.game.why(p).map(|said| said.text),
            max_plies: self.game.max_plies(p),
        }
    }

    /// The moves of a position, smallest first; none when the game is over.
    pub(crate) fn sorted_moves(&self, p: &G::Position) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.game.outcome(p).is_none() {
            self.game.each_move(p, |m| moves.push(m));
        }
        sort_by(&mut moves, Ord::cmp);
        moves
    }

    /// The texts of a line of moves.
    pub(crate) fn texts(&self, p: &G::Position, line: &[G::Move]) -> Vec<String> {
        let mut p = *p;
        line.iter()
            .map(|&m| {
                let text = self.game.move_text(&p, m);
                p = self.game.play(&p, m);
                text
            })
            .collect()
    }
}

impl<G: Notation> AnyGame for Host<G> {
    fn family(&self) -> &'static Family {
        self.family
    }

    fn spec(&self) -> String {
        self.game.spec()
    }

    fn title(&self) -> String {
        self.game.title()
    }

    fn side_names(&self) -> [&'static str; 2] {
        self.game.side_names()
    }

    fn side_colours(&self) -> [&'static str; 2] {
        self.game.side_colours()
    }

    fn switches(&self) -> &'static [Switch] {
        self.game.switches()
    }

    fn draws(&self) -> bool {
        self.game.nature().draws
    }

    fn solvers(&self) -> Vec<&'static str> {
        SOLVERS.iter().copied().chain(self.study.solver().map(|own| own.name())).collect()
    }

    fn usual_goal(&self) -> Goal {
        let nature = self.game.nature();
        if nature.forcing && !nature.draws && !nature.deepen { Goal::Wdl } else { Goal::Distance }
    }

    fn start(&self, seed: Option<u64>) -> Result<String, Error> {
        Ok(self.game.position_text(&self.start_position(seed)?))
    }

    fn state(&self, position: &str) -> Result<State, Error> {
        Ok(self.state_of(&self.read(position)?))
    }

    fn view_part(&self, position: &str, part: Range<usize>) -> Result<(View, usize), Error> {
        let p = self.read(position)?;
        let sorted = self.sorted_moves(&p);
        let moves = sorted
            .iter()
            .skip(part.start)
            .take(part.len())
            .map(|&m| MoveView {
                text: self.game.move_text(&p, m),
                clicks: self.game.clicks(&p, m),
                path: self.game.path(&p, m),
            })
            .collect();
        let State { position, to_move, over, why, max_plies } = self.state_of(&p);
        let said = self.game.why(&p);
        Ok((View { position, to_move, over, why, said, moves, max_plies }, sorted.len()))
    }

    fn one_move(
        &self,
        position: &str,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Option<String>, Error> {
        let p = self.read(position)?;
        let moves = self.sorted_moves(&p);
        let chosen = if moves.is_empty() { None } else { moves.get(choose(moves.len())) };
        Ok(chosen.map(|&m| self.game.move_text(&p, m)))
    }

    fn greedy_move(
        &self,
        question: &Question,
        terms: &Terms,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Result<Option<String>, Error> {
        greedy::choose(self, question, terms, choose)
    }

    fn play(&self, position: &str, m: &str) -> Result<String, Error> {
        let p = self.read(position)?;
        Ok(self.game.position_text(&self.game.play_all(p, std::iter::once(m))?))
    }

    fn picture(&self, position: &str) -> Result<String, Error> {
        Ok(self.game.picture(&self.read(position)?))
    }

    fn svg(&self, position: &str, last: Option<(&str, &str)>, marks: Vec<Mark>) -> Result<String, Error> {
        let p = self.read(position)?;
        let last = match last {
            Some((before, m)) => Some(self.game.parse_move(&self.read(before)?, m)?),
            None => None,
        };
        Ok(self.game.svg(&p, &Scene { last, marks, ..Scene::default() }))
    }

    fn facts(&self, position: &str) -> Result<Vec<Fact>, Error> {
        Ok(self.game.facts(&self.read(position)?))
    }

    fn layout(&self) -> Option<Layout> {
        self.game.layout()
    }

    fn side(&self, word: &str) -> Result<Side, Error> {
        self.game.parse_side(word)
    }

    fn count(&self, position: &str, depth: u32, what: Count) -> Result<Vec<u64>, Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        let p = self.read(position)?;
        Ok(match what {
            Count::Sequences => perft::sequences(&self.game, &p, depth),
            Count::Positions => perft::positions(&self.game, &p, depth),
            Count::Canonical => perft::canonical(&self.game, &p, depth),
        })
    }

    fn check(&self, question: &Question, terms: &Terms) -> Result<(), Error> {
        self.task(question, terms, &Monitor::new(&question.budget, terms)).map(drop)
    }

    fn solve(&self, question: &Question, terms: &Terms) -> Result<Verdict, Error> {
        self.judge_one(question, terms)
    }

    fn pursue(
        &self,
        question: &Question,
        leaf: &Leaf,
        facts: &[SharedFact],
        terms: &Terms,
    ) -> Result<Pursuit, Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        self.pursue_leaf(question, leaf, facts, terms)
    }

    fn analyze(&self, question: &Question, terms: &Terms) -> Result<Analysis, Error> {
        self.judge_moves(question, terms)
    }

    fn analyze_all(
        &self,
        positions: &[&str],
        question: &Question,
        terms: &Terms,
        told: Told<'_>,
    ) -> Result<(), Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        self.batch(positions, question, terms, told)
    }

    fn met_at(&self, position: &str) -> Result<Met, Error> {
        self.met_at(position)
    }

    fn met_by_chance(
        &self,
        question: &Question,
        terms: &Terms,
        style: Style,
        number: u64,
    ) -> Result<Option<Met>, Error> {
        self.met_by_chance(question, terms, style, number)
    }

    fn met_anywhere(
        &self,
        question: &Question,
        terms: &Terms,
        visit: &mut dyn FnMut(Met) -> bool,
    ) -> Result<(), Error> {
        self.met_anywhere(question, terms, visit)
    }

    fn explain(&self, question: &Question, terms: &Terms) -> Result<Explanation, Error> {
        explain::answer(self, question, terms)
    }

    fn think(&self, question: &Question, terms: &Terms, limits: Limits) -> Result<Thought, Error> {
        let monitor = Monitor::new(&question.budget, terms);
        let task = self.task(question, terms, &monitor)?;
        let p = self.position_of(question)?;
        let thought =
            self.study.searches().think(&task.game, self.study.evaluation(), &p, limits.into(), &monitor);
        Ok(Thought {
            kind: ThoughtKind::Thought,
            game: self.game.spec(),
            best: self.texts(&p, thought.best.as_slice()).pop(),
            score: thought.score,
            pv: self.texts(&p, &thought.pv),
            depths: thought.depths,
        })
    }

    fn evaluate(&self, position: &str) -> Result<Evaluation, Error> {
        let (p, evaluation) = (self.read(position)?, self.study.evaluation());
        let to_move = self.game.side(&p);
        Ok(Evaluation {
            kind: EvaluationKind::Eval,
            game: self.game.spec(),
            position: self.game.position_text(&p),
            to_move,
            score: evaluation.guess(&self.game, &p, to_move),
            terms: evaluation.parts(&self.game, &p, to_move),
        })
    }

    fn puzzle(
        &self,
        question: &Question,
        terms: &Terms,
        seed: u64,
        plies: Option<u32>,
    ) -> Result<Puzzle, Error> {
        puzzle::find(self, question, terms, seed, plies)
    }

    fn openings(&self, terms: &Terms) -> Result<(Vec<Opening>, Source), Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        openings::of(&self.game.clone().for_goal(Goal::Distance), &*self.study, terms)
    }

    fn complexity(&self, samples: u64, seed: u64, exact: u64) -> Result<Complexity, Error> {
        if !COMPLETE {
            return Err(left_out());
        }
        complexity::measure(&self.game, &*self.study, samples.max(2), seed, exact)
    }

    fn rules(&self) -> Box<dyn Rules> {
        self.naive_rules().1
    }

    fn prove(
        &self,
        question: &Question,
        claims: &[Claim],
        effort: u32,
        terms: &Terms,
    ) -> Result<Vec<u8>, Error> {
        self.certificate(question, claims, effort, terms)
    }

    #[cfg(feature = "files")]
    fn tables(&self) -> &dyn AnyTable {
        self
    }
}
