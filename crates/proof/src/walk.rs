//! A walk through a certificate: its move at every position that the opponent can reach, and why, in a sentence.
//!
//! Where a rule settles a position the file has no more moves. The rule itself is a plan, and the walk goes on by it: partners of
//! pairs, the next threat, the cell right above. So any game can be played out against a certificate, and ends as it claims.

use ludex_core::{Error, ErrorCode, Filling, OR, Reason, Said, Side};

use crate::{
    Book, Claim,
    rules::{
        LineGame, Move, Position, Rule, Rules,
        lines::{EMPTY, Kind, stone},
    },
    sentences, theorems,
    writer::Step,
};

/// A place on the walk.
#[derive(Clone, Debug)]
pub struct Place {
    /// The position.
    pub position: Position,
    /// What the claimant plays here, on their turn.
    pub play: Option<Move>,
    /// The rule that applies here or has settled it before, if there is one.
    pub rule: Option<Rule>,
    /// Whether a rule or the end of the game has settled it.
    pub settled: bool,
    /// Why the claim holds here.
    pub reason: Reason,
    plan: Plan,
}

/// How the claimant goes on where the file has no moves.
#[derive(Clone, Debug, PartialEq)]
enum Plan {
    /// By the file.
    File,
    /// By the file, after a move with this rule behind it.
    Then(Rule, Vec<u32>),
    /// These sequences of threats answer every reply outside what they share.
    Zone(Vec<Vec<usize>>),
    /// These lists of pairs answer every reply that does not disturb all of them.
    Guard(Vec<Vec<[usize; 2]>>),
    /// The rest of a sequence of threats.
    Threats(Vec<usize>),
    /// Partners, and elsewhere the cell that spoils most.
    Pairs(Vec<[usize; 2]>),
    /// Connect Four: right above, up to these rows.
    Above(Vec<usize>),
    /// Anything.
    Anything,
    /// The rule proves that there is a way, and does not say which.
    Unsaid,
}

/// A certificate to be walked through: one claim of it.
pub struct Walk<'a> {
    /// The rules.
    pub game: &'a dyn Rules,
    /// The stored steps of the claim.
    pub book: &'a Book,
    /// The claim.
    pub claim: Claim,
    /// What the sides are called.
    pub sides: [&'a str; 2],
}

impl Claim {
    /// The claim as people say it.
    #[must_use]
    pub fn said(&self, sides: [&str; 2]) -> Said {
        let side = ("side", sides[self.side.index()].into());
        match (self.win, self.within) {
            (false, _) => sentences::CLAIM_DRAW.say([side]),
            (true, crate::ANY) => sentences::CLAIM_WIN.say([side]),
            (true, plies) => sentences::CLAIM_WITHIN.say([side, ("n", (plies as usize).into())]),
        }
    }
}

impl Walk<'_> {
    /// Where the moves lead from a position, by the moves of both sides.
    ///
    /// # Errors
    /// If a move is not legal, or the claimant's is not the one of the proof.
    pub fn along(&self, start: &Position, moves: &[String]) -> Result<Place, Error> {
        let mut place = self.at(start, None);
        for (i, text) in moves.iter().enumerate() {
            place = self.step(&place, text).map_err(|e| e.at(format_args!("move {} of the list", i + 1)))?;
        }
        Ok(place)
    }

    /// Where a move leads.
    ///
    /// # Errors
    /// If it is not legal, or the claimant's and not the one of the proof.
    pub fn step(&self, place: &Place, text: &str) -> Result<Place, Error> {
        let p = &place.position;
        let moves = if self.game.result(p).is_some() { Vec::new() } else { self.game.moves(p) };
        let Some(&m) = moves.iter().find(|&&m| self.game.text(p, m) == text) else {
            let texts: Vec<String> = moves.iter().take(40).map(|&m| self.game.text(p, m)).collect();
            let hint = match texts.as_slice() {
                [] => "the game is over".to_owned(),
                texts => format!("the moves are {}", texts.join(" ")),
            };
            return Err(Error::bad_move(format!("'{text}' is no move here"), hint));
        };
        if let Some(proved) = place.play
            && proved != m
            && !self.satisfies(p, m)
        {
            let proved = self.game.text(p, proved);
            let message = format!("'{text}' is not the move of the proof");
            return Err(Error::bad_move(message, format!("it plays {proved} here")));
        }
        Ok(self.at(&self.game.play(p, m), Some((place, m))))
    }

    /// The claimant, to fill a gap.
    fn own(&self) -> (&'static str, Filling) {
        ("own", self.name(self.claim.side).into())
    }

    /// Their opponent.
    fn other(&self) -> (&'static str, Filling) {
        ("other", self.name(self.claim.side.other()).into())
    }

    fn name(&self, side: Side) -> &str {
        self.sides[side.index()]
    }

    fn satisfies(&self, p: &Position, m: Move) -> bool {
        self.game.ends(p, m).is_some_and(|winner| self.claim.satisfied(winner))
    }

    /// What is said of a position that the last move led to.
    fn at(&self, p: &Position, before: Option<(&Place, Move)>) -> Place {
        let rule = before.and_then(|(place, _)| place.rule.filter(|_| place.settled));
        let place = |play, settled, said: Said, plan| Place {
            position: p.clone(),
            play,
            rule,
            settled,
            reason: said.into(),
            plan,
        };
        if let Some(winner) = self.game.result(p) {
            let said = match winner {
                Some(side) => sentences::WON.say([("own", self.name(side).into())]),
                None => sentences::DRAWN.say([self.own()]),
            };
            return place(None, true, said, Plan::Anything);
        }
        let settled = before.is_some_and(|(place, _)| place.settled);
        let plan = before.map_or(&Plan::File, |(place, _)| &place.plan);
        if p.side == self.claim.side {
            if let Some(m) = self.game.moves(p).into_iter().find(|&m| self.satisfies(p, m)) {
                let said = sentences::ENDS.say([self.own(), ("move", self.game.text(p, m).into())]);
                return place(Some(m), settled, said, plan.clone());
            }
            if settled {
                let (play, plan) = self.by_plan(p, before, plan);
                let reason = before.map_or_else(Reason::default, |(place, _)| place.reason.clone());
                return Place { reason, ..place(play, true, Said::default(), plan) };
            }
            let Some(step) = self.book.step(self.game, p, true) else {
                return self
                    .outside(p, before)
                    .unwrap_or_else(|| place(None, false, sentences::NOTHING.say([]), Plan::File));
            };
            return match step.play {
                Some(m) => {
                    let said = sentences::PLAYS.say([self.own(), ("move", self.game.text(p, m).into())]);
                    place(Some(m), false, said, Plan::Then(step.rule, step.hints))
                }
                None => self.settle(p, &step),
            };
        }
        if settled {
            let reason = before.map_or_else(Reason::default, |(place, _)| place.reason.clone());
            return Place { reason, ..place(None, true, Said::default(), plan.clone()) };
        }
        let step = match plan {
            Plan::Then(rule, hints) => Some(Step { play: None, rule: *rule, hints: hints.clone() }),
            _ => self.book.step(self.game, p, false),
        };
        match step {
            Some(step) if step.rule != Rule::Play => self.settle(p, &step),
            _ => place(None, false, sentences::ANY_REPLY.say([self.other(), self.own()]), Plan::File),
        }
    }

    /// A position to which a rule applies.
    fn settle(&self, p: &Position, step: &Step) -> Place {
        let (mut reason, plan) = self.reason(p, step);
        let settled = !matches!(plan, Plan::Zone(_) | Plan::Guard(_));
        let mut place = Place {
            position: p.clone(),
            play: None,
            rule: Some(step.rule),
            settled,
            reason: Reason::default(),
            plan,
        };
        if settled && p.side == self.claim.side {
            (place.play, place.plan) = self.by_plan(p, None, &place.plan);
        }
        reason.cells.dedup();
        Place { reason, ..place }
    }

    /// A reply that has no answer of its own: one of the sequences, or lists of pairs, stands as it is.
    fn outside(&self, p: &Position, before: Option<(&Place, Move)>) -> Option<Place> {
        let (place, reply) = before?;
        let lines = self.game.lines()?;
        let (rule, hints) = match &place.plan {
            Plan::Zone(sequences) => {
                let stands = |s: &&Vec<usize>| theorems::threats(lines, &self.claim, &p.cells, s).is_some();
                let sequence = sequences.iter().find(stands)?;
                (
                    Rule::Threats,
                    std::iter::once(sequence.len()).chain(sequence.iter().copied()).collect::<Vec<_>>(),
                )
            }
            Plan::Guard(lists) => {
                let cell = lines.cell_of(&place.position, reply);
                let whole = |pairs: &Vec<[usize; 2]>| -> Vec<[usize; 2]> {
                    pairs.iter().copied().filter(|pair| !pair.contains(&cell)).collect()
                };
                let stands = |pairs: &Vec<[usize; 2]>| {
                    theorems::stop(lines, &self.claim, p, crate::ANY, true, pairs).is_some()
                };
                let pairs = lists.iter().map(whole).find(stands)?;
                (Rule::Stop, std::iter::once(pairs.len()).chain(pairs.into_iter().flatten()).collect())
            }
            _ => return None,
        };
        let hints = hints.into_iter().map(|hint| hint as u32).collect();
        Some(self.settle(p, &Step { play: None, rule, hints }))
    }

    /// The claimant's move by a plan, and the plan after it.
    fn by_plan(&self, p: &Position, before: Option<(&Place, Move)>, plan: &Plan) -> (Option<Move>, Plan) {
        let lines = self.game.lines();
        let replied = before.and_then(|(place, m)| Some(lines?.cell_of(&place.position, m)));
        let free = |cell: usize| p.cells.get(cell) == Some(&EMPTY);
        let (play, plan) = match (plan, lines) {
            (Plan::Threats(rest), Some(_)) => match rest.split_first() {
                Some((&next, rest)) if free(next) => (Some(next as Move), Plan::Threats(rest.to_vec())),
                _ => (None, plan.clone()),
            },
            (Plan::Pairs(pairs), Some(lines)) => {
                (self.spoil(lines, p, pairs, replied).map(|cell| cell as Move), plan.clone())
            }
            (Plan::Above(tops), Some(lines)) => (above(lines, p, tops, replied), plan.clone()),
            (Plan::Anything, _) => (self.game.moves(p).first().copied(), Plan::Anything),
            (plan, _) => (None, plan.clone()),
        };
        (play, plan)
    }

    /// The partner of the cell that was taken, or the cell through which the opponent's open lines weigh most.
    fn spoil(
        &self,
        lines: &LineGame,
        p: &Position,
        pairs: &[[usize; 2]],
        replied: Option<usize>,
    ) -> Option<usize> {
        let free = |cell: usize| p.cells[cell] == EMPTY;
        let partner = |&[a, b]: &[usize; 2]| match replied {
            Some(cell) if cell == a => Some(b),
            Some(cell) if cell == b => Some(a),
            _ => None,
        };
        if let Some(partner) = pairs.iter().find_map(partner).filter(|&cell| free(cell)) {
            return Some(partner);
        }
        let whole: Vec<&[usize; 2]> = pairs.iter().filter(|pair| pair.iter().all(|&c| free(c))).collect();
        let mut rests: Vec<Vec<usize>> = Vec::new();
        for line in lines.open(&p.cells, self.claim.side.other()) {
            if whole.iter().any(|pair| pair.iter().all(|cell| line.contains(cell))) {
                continue;
            }
            let single = |cell: &usize| free(*cell) && !whole.iter().any(|pair| pair.contains(cell));
            rests.push(line.iter().copied().filter(single).collect());
        }
        // Sets that contain another do not count.
        rests.sort_by_key(Vec::len);
        let mut least: Vec<Vec<usize>> = Vec::new();
        for rest in rests {
            if !least.iter().any(|inner| inner.iter().all(|cell| rest.contains(cell))) {
                least.push(rest);
            }
        }
        let mut weight = vec![0.0; p.cells.len()];
        for rest in &least {
            rest.iter().for_each(|&cell| weight[cell] += 0.5_f64.powi(rest.len() as i32));
        }
        let paired = |cell: usize| whole.iter().any(|pair| pair.contains(&cell));
        let legal: Vec<usize> = (0..p.cells.len()).filter(|&cell| free(cell)).collect();
        let best = legal.iter().copied().filter(|&cell| !paired(cell));
        best.max_by(|&a, &b| weight[a].total_cmp(&weight[b])).or_else(|| legal.first().copied())
    }

    /// What a rule says of a position, and the plan it makes.
    fn reason(&self, p: &Position, step: &Step) -> (Reason, Plan) {
        let (own, other) = (self.own(), self.other());
        let Some(lines) = self.game.lines() else { return (Reason::default(), Plan::Unsaid) };
        let name = |cell: &usize| cell_name(lines, p, *cell);
        let names = |cells: &[usize]| cells.iter().map(name).collect::<Vec<_>>();
        let listed = |cells: &[usize]| ("cells", names(cells).join(", ").into());
        let cells = |hints: &[u32]| hints.iter().map(|&cell| cell as usize).collect::<Vec<_>>();
        match step.rule {
            Rule::Dead => (sentences::DEAD.say([other, own]).into(), Plan::Anything),
            Rule::Steal => (sentences::STEAL.say([other, own]).into(), Plan::Unsaid),
            Rule::Stop => {
                let pairs: Vec<[usize; 2]> = step
                    .hints
                    .get(1..)
                    .unwrap_or_default()
                    .chunks_exact(2)
                    .map(|pair| [pair[0] as usize, pair[1] as usize])
                    .collect();
                let rule = if pairs.is_empty() { sentences::FEW_LINES } else { sentences::PARTNERS };
                let said = rule.say([other, own]);
                let named = pairs.iter().map(|[a, b]| [name(a), name(b)]).collect();
                (Reason { pairs: named, ..said.into() }, Plan::Pairs(pairs))
            }
            Rule::Threats => {
                let sequence = cells(step.hints.get(1..).unwrap_or_default());
                let rule = if sequence.len() == 1 { sentences::ONE_THREAT } else { sentences::THREATS };
                let said = rule.say([own, listed(&sequence)]);
                (Reason { cells: names(&sequence), ..said.into() }, Plan::Threats(sequence))
            }
            Rule::Zone => {
                let mut sequences = Vec::new();
                let mut rest = step.hints.get(1..).unwrap_or_default();
                while let Some((&n, more)) = rest.split_first() {
                    let (sequence, more) = more.split_at((n as usize).min(more.len()));
                    sequences.push(cells(sequence));
                    rest = more;
                }
                let zone = theorems::zone(lines, &self.claim, p, crate::ANY, &sequences).unwrap_or_default();
                let zone: Vec<usize> = zone.into_iter().collect();
                let said = match zone.len() {
                    0 => sentences::MANY_WAYS.say([own]),
                    _ => sentences::ZONE.say([listed(&zone), own]),
                };
                (Reason { cells: names(&zone), ..said.into() }, Plan::Zone(sequences))
            }
            Rule::Guard => {
                let mut lists = Vec::new();
                let mut rest = step.hints.get(1..).unwrap_or_default();
                while let Some((&n, more)) = rest.split_first() {
                    let (list, more) = more.split_at((2 * n as usize).min(more.len()));
                    lists.push(
                        list.chunks_exact(2).map(|pair| [pair[0] as usize, pair[1] as usize]).collect(),
                    );
                    rest = more;
                }
                let open = theorems::guard(lines, &self.claim, p, crate::ANY, &lists).unwrap_or_default();
                let open: Vec<usize> = open.into_iter().collect();
                let said = sentences::GUARD.say([own, listed(&open)]);
                let first: &[[usize; 2]] = lists.first().map_or(&[], Vec::as_slice);
                let pairs = first.iter().map(|[a, b]| [name(a), name(b)]).collect();
                (Reason { cells: names(&open), pairs, ..said.into() }, Plan::Guard(lists))
            }
            rule => self.follow(lines, p, rule),
        }
    }

    /// What a rule of Connect Four says, and the rows up to which the claimant plays right above.
    fn follow(&self, lines: &LineGame, p: &Position, rule: Rule) -> (Reason, Plan) {
        let (own, other) = (self.own(), self.other());
        let (width, height) = (lines.width, lines.height);
        let landing = |x: usize| lines.landing(&p.cells, x).map_or(height + 1, |cell| cell / width + 1);
        let threat = |x: usize, row: usize| {
            row > landing(x) && lines.completes(&p.cells, (row - 1) * width + x, self.claim.side)
        };
        let lowest = |x: usize, upper: bool| {
            (1..=height).find(|&row| (row % 2 == height % 2) == upper && threat(x, row))
        };
        let cut = |x: usize| match rule {
            Rule::Odd(column) if column as usize == x + 1 => lowest(x, false),
            _ => lowest(x, true),
        };
        let tops: Vec<usize> =
            (0..width).map(|x| cut(x).map_or(height, |row| row.saturating_sub(2))).collect();
        let named =
            |cells: &mut dyn Iterator<Item = usize>| cells.map(|cell| cell_name(lines, p, cell)).collect();
        let cuts: Vec<String> = named(&mut (0..width).filter_map(|x| Some((cut(x)? - 1) * width + x)));
        let (said, cells) = match rule {
            Rule::Follow => (sentences::FOLLOW.say([own, other]), cuts),
            Rule::Even | Rule::Odd(_) => {
                let at = OR.chain(cuts.iter().map(|cell| cell.as_str().into()));
                (sentences::FOLLOW_BELOW.say([own, other, ("cells", at.into())]), cuts)
            }
            Rule::Promised(row) => {
                let promised = |&cell: &usize| {
                    let (x, r) = (cell % width, cell / width + 1);
                    p.cells[cell] == EMPTY
                        && r <= tops[x]
                        && (tops[x] - r).is_multiple_of(2)
                        && r != landing(x)
                        && r <= row as usize
                };
                let good = |line: &&Vec<usize>| {
                    let own = |cell: &usize| p.cells[*cell] == stone(self.claim.side) || promised(cell);
                    line.iter().all(own) && line.iter().any(&promised)
                };
                let four = lines.lines[self.claim.side.index()].iter().find(good);
                let cells: Vec<String> = named(&mut four.into_iter().flatten().copied().filter(promised));
                let listed = ("cells", cells.join(", ").into());
                (sentences::FOLLOW_FOUR.say([own, other, listed]), cells)
            }
            rule => {
                let named = ("rule", rule.to_string().into());
                return (sentences::BY_RULE.say([named]).into(), Plan::Unsaid);
            }
        };
        (Reason { said, cells, pairs: Vec::new() }, Plan::Above(tops))
    }
}

/// Right above the last stone, if that is within the rows; else in another column that is one stone ahead.
fn above(lines: &LineGame, p: &Position, tops: &[usize], replied: Option<usize>) -> Option<Move> {
    let row = |x: usize| lines.landing(&p.cells, x).map(|cell| cell / lines.width + 1);
    let odd = |x: usize| row(x).is_some_and(|row| row <= tops[x] && (tops[x] - row).is_multiple_of(2));
    let last = replied.map(|cell| cell % lines.width).filter(|&x| odd(x));
    last.or_else(|| (0..lines.width).find(|&x| odd(x))).map(|x| x as Move)
}

/// What people, and pictures of the game, call a cell.
fn cell_name(lines: &LineGame, p: &Position, cell: usize) -> String {
    match lines.kind {
        Kind::Connect4 => {
            let column = lines.text(p, (cell % lines.width) as Move);
            format!("{column}-{}", cell / lines.width + 1)
        }
        _ => lines.text(p, cell as Move),
    }
}

/// A fault of a certificate as the error that people see.
#[must_use]
pub fn refused(fault: &crate::Fault) -> Error {
    Error::new(
        ErrorCode::BadCertificate,
        format!("the certificate is refused: {fault}"),
        "it proves nothing; ludex check FILE says the same",
    )
}
