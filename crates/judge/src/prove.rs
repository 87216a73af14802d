//! Certificates: the judge's searches say what is true, and a small strategy is written down.

use std::{cell::RefCell, collections::HashMap, hash::Hash};

use ludex_core::{
    Budget, Error, ErrorCode, Goal, Moves, Notation, Outcome, Probe, Side, Status, Value, Window, Witness,
};
use ludex_proof::{
    ANY, Claim, Foreign, Header,
    any_tree::{AnyTree, Oracle},
    rules::{self, Move, Position, Rules, lines::Kind},
    smallest::Smallest,
    writer::{self, Root, Strategy},
};

use crate::{
    Question, Terms,
    host::{Held, Host},
    judging::Task,
    monitor::Monitor,
};

/// What a study needs to find strategies.
pub struct Proving<'a> {
    /// The claims.
    pub claims: &'a [Claim],
    /// From 0: how hard to try for small proofs.
    pub effort: u32,
    /// Bytes for tables.
    pub memory: u64,
    /// Limits.
    pub probe: &'a dyn Probe,
}

/// Writes the certificate of strategies, one for each claim.
pub type WriteProof<'a> = &'a mut dyn FnMut(&mut [&mut dyn Strategy]) -> Result<Vec<u8>, Error>;

impl<G: Notation> Host<G> {
    /// The spec of a certificate, and the rules it is checked by: the checker's own, or the game's for a game that it does not know.
    pub(crate) fn naive_rules(&self) -> (String, Box<dyn Rules>) {
        let source = self.game().source();
        let spec = match &source {
            Some(text) => format!("{}:sha256={}", self.family.name, ludex_proof::digest(text.as_bytes())),
            None => self.game().spec(),
        };
        let known = rules::open(&spec, source.as_deref());
        let rules = known.unwrap_or_else(|| Box::new(Foreign(self.game().clone())));
        (spec, rules)
    }

    pub(crate) fn certificate(
        &self,
        question: &Question,
        claims: &[Claim],
        effort: u32,
        terms: &Terms,
    ) -> Result<Vec<u8>, Error> {
        let p = self.position_of(question)?;
        let monitor = Monitor::new(&question.budget, terms);
        let wdl = Question { goal: Goal::Wdl, ..question.clone() };
        let named = !claims.is_empty();
        let claims = match claims {
            [] => self.worth(&p, &wdl, terms)?,
            claims => claims.to_vec(),
        };
        let (spec, rules) = self.naive_rules();
        let (board, side) = (self.game().board_text(&p), self.game().side(&p));
        let position = rules.read(&board, side).ok_or_else(|| {
            Error::contradiction(format!("the checker of certificates does not read '{board}' {side}"))
        })?;
        let frame = Frame::new(spec, self.game().source(), board, &position, &claims, &*rules);
        let mut write = |strategies: &mut [&mut dyn Strategy]| frame.write(&*rules, strategies);
        let proving = Proving { claims: &claims, effort, memory: question.budget.memory, probe: &monitor };
        if named {
            for claim in &claims {
                self.check_claim(&p, claim, question, terms)?;
            }
        }
        if let Some(file) = self.study().prove(self.game(), &proving, &mut write) {
            return file;
        }
        let questions: Vec<Question> = claims.iter().map(|claim| asked_for(claim, question)).collect();
        let memory = RefCell::new(self.memory());
        let cells = Cells::new(self.game(), &*rules, &p, &position);
        let mut strategies = Vec::new();
        for (claim, question) in claims.iter().zip(&questions) {
            let mut task = self.task(question, terms, &monitor)?;
            task.value_only = true;
            let oracle =
                Searched { host: self, rules: &*rules, task, memory: &memory, claim: *claim, cells: &cells };
            strategies.push(Smallest::new(AnyTree::new(&*rules, *claim, oracle, effort)));
        }
        let mut strategies: Vec<&mut dyn Strategy> =
            strategies.iter_mut().map(|strategy| strategy as &mut dyn Strategy).collect();
        write(&mut strategies)
    }

    /// What can be claimed of a position: that somebody wins, or that both draw.
    fn worth(&self, p: &G::Position, question: &Question, terms: &Terms) -> Result<Vec<Claim>, Error> {
        let side = self.game().side(p);
        let verdict = self.judge_one(question, terms)?;
        let claim = |side, win| Claim { side, win, within: ANY };
        match verdict.outcome {
            Some(Outcome::Win) => Ok(vec![claim(side, true)]),
            Some(Outcome::Loss) => Ok(vec![claim(side.other(), true)]),
            Some(Outcome::Draw) => Ok(vec![claim(Side::First, false), claim(Side::Second, false)]),
            None => Err(stopped()),
        }
    }

    /// Refuse to prove what is not true.
    fn check_claim(
        &self,
        p: &G::Position,
        claim: &Claim,
        question: &Question,
        terms: &Terms,
    ) -> Result<(), Error> {
        let goal = if claim.within == ANY { Goal::Wdl } else { Goal::Distance };
        let verdict = self.judge_one(&Question { goal, ..question.clone() }, terms)?;
        if verdict.status != Status::Solved {
            return Err(stopped());
        }
        let bounds =
            if self.game().side(p) == claim.side { verdict.bounds } else { verdict.bounds.flipped() };
        if bounds.lo >= target(claim, claim.within) {
            return Ok(());
        }
        let message = format!("'{claim}' is not true: {}", verdict.sentence);
        Err(Error::new(
            ErrorCode::BadClaim,
            message,
            "leave the claim out to prove what the position is worth",
        ))
    }
}

/// What a certificate holds besides its strategies.
struct Frame {
    header: Header,
    roots: Vec<Root>,
}

impl Frame {
    fn new(
        spec: String,
        sheet: Option<String>,
        board: String,
        position: &Position,
        claims: &[Claim],
        rules: &dyn Rules,
    ) -> Self {
        let connect4 = rules.lines().is_some_and(|lines| lines.kind == Kind::Connect4);
        let root = |(i, claim): (usize, &Claim)| Root {
            claim: i,
            board: board.clone(),
            position: position.clone(),
            within: claim.within,
        };
        let roots = claims.iter().enumerate().map(root).collect();
        let header = Header {
            spec,
            sheet,
            board,
            side: position.side,
            claims: claims.to_vec(),
            strategy: true,
            win: true,
            forced: rules.lines().is_some(),
            repeat: true,
            leaf: connect4,
            only: connect4,
            here: Vec::new(),
            after: Vec::new(),
            chunks: Vec::new(),
        };
        Self { header, roots }
    }

    fn write(&self, rules: &dyn Rules, strategies: &mut [&mut dyn Strategy]) -> Result<Vec<u8>, Error> {
        writer::write(self.header.clone(), rules, &self.roots, strategies)
    }
}

/// The question that a claim's searches answer.
fn asked_for(claim: &Claim, question: &Question) -> Question {
    Question {
        goal: if claim.within == ANY { Goal::Wdl } else { Goal::Distance },
        budget: Budget { threads: 1, ..question.budget.clone() },
        ..question.clone()
    }
}

/// The least value, for the claimant, that a claim allows.
fn target(claim: &Claim, within: u32) -> Value {
    match (claim.win, within) {
        (false, _) => Value::DRAW,
        (true, ANY) => Value::SOME_WIN,
        (true, moves) => Value::win(moves.min(Value::MAX_PLIES)),
    }
}

fn stopped() -> Error {
    Error::new(
        ErrorCode::Stopped,
        "the position was not solved within the limits",
        "give it more time or memory",
    )
}

/// The cells of a certificate's moves, by the game's own moves. It is used for games whose moves are cells alone.
struct Cells<M>(HashMap<M, usize>);

impl<M: Copy + Eq + Hash> Cells<M> {
    fn new<G: Notation<Move = M>>(game: &G, rules: &dyn Rules, p: &G::Position, naive: &Position) -> Self {
        let mut cells = HashMap::new();
        if rules.lines().is_some() && game.outcome(p).is_none() {
            let texts: HashMap<String, usize> =
                rules.moves(naive).into_iter().map(|m| (rules.text(naive, m), m as usize)).collect();
            game.each_move(p, |m| {
                if let Some(&cell) = texts.get(&game.move_text(p, m)) {
                    cells.insert(m, cell);
                }
            });
        }
        Self(cells)
    }

    /// A witness in cells of the certificate; what is on cells that it does not know is left out.
    fn of(&self, witness: Witness<M>) -> Option<Witness<usize>> {
        let cell = |m: &M| self.0.get(m).copied();
        Some(match witness {
            Witness::Threats(rows) => Witness::Threats(
                rows.iter().filter_map(|row| row.iter().map(cell).collect::<Option<Vec<_>>>()).collect(),
            ),
            Witness::Pairs(pairs) => {
                Witness::Pairs(pairs.iter().map_while(|[a, b]| Some([cell(a)?, cell(b)?])).collect())
            }
        })
    }
}

/// The judge's searches as an oracle.
struct Searched<'a, 'm, G: Notation> {
    host: &'a Host<G>,
    rules: &'a dyn Rules,
    task: Task<'a, G>,
    memory: &'a RefCell<Held<'m, G>>,
    claim: Claim,
    cells: &'a Cells<G::Move>,
}

impl<G: Notation> Searched<'_, '_, G> {
    fn fast(&self, p: &Position) -> Result<G::Position, Error> {
        self.host.game().parse_board(&self.rules.write(p), Some(p.side))
    }
}

impl<G: Notation> Oracle for Searched<'_, '_, G> {
    fn holds(&mut self, p: &Position, w: u32, most: u64) -> Result<Option<bool>, Error> {
        let fast = self.fast(p)?;
        let own = p.side == self.claim.side;
        if let Some(outcome) = self.host.game().outcome(&fast) {
            let winner = if outcome == Outcome::Draw { None } else { outcome.winner(p.side) };
            return Ok(Some(self.claim.satisfied(winner)));
        }
        let mut memory = self.memory.borrow_mut();
        let window = if self.claim.win { Window::WIN } else { Window::DRAW };
        let window = if own { window } else { window.child(true) };
        match memory.settle(&self.host.run(&self.task), fast, window, most) {
            Ok(None) if most < u64::MAX => return Ok(None),
            Ok(None) => return Err(stopped()),
            Ok(Some(found)) => {
                return Ok(Some(if own { window.fails_high(found.lo) } else { window.fails_low(found.hi) }));
            }
            Err(Some(error)) => return Err(error),
            Err(None) => {}
        }
        let found = self.host.judge(&self.task, &fast, &mut memory)?.verdict;
        if found.status != Status::Solved {
            return Err(stopped());
        }
        let bounds = if own { found.bounds } else { found.bounds.flipped() };
        Ok(Some(bounds.lo >= target(&self.claim, w)))
    }

    fn promising(&mut self, p: &Position) -> Vec<Move> {
        let Ok(fast) = self.fast(p) else { return Vec::new() };
        let window = if self.claim.win { Window::WIN } else { Window::DRAW };
        let mut moves = Moves::new();
        self.task.game.look(&fast, window, &mut moves);
        moves.iter().filter_map(|m| self.cells.0.get(&m)).map(|&cell| cell as Move).collect()
    }

    fn witness(&mut self, p: &Position, _: u32) -> Option<Witness<usize>> {
        let fast = self.fast(p).ok()?;
        let witness = self.task.game.witness(&fast, self.claim.side, self.claim.win)?;
        self.cells.of(witness)
    }
}
