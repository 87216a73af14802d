//! The checker: one pass over the tokens of each chunk, by the naive rules.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
};

use crate::{
    header::{ANY, Chunk, Claim, Header, one_less},
    rules::{self, LineGame, Move, Position, Rule, Rules, lines::Kind},
    stream::Tokens,
    theorems,
};

/// No line of play may be longer.
const MOST_MOVES: usize = 1_000;

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// The chunk it is in, from 1; 0 if it is in the header.
    pub chunk: usize,
    /// The moves from the chunk's position to the fault.
    pub line: Vec<String>,
}

impl Fault {
    pub(crate) fn header(line: usize, message: impl fmt::Display) -> Self {
        Self { message: format!("header, line {line}: {message}"), chunk: 0, line: Vec::new() }
    }

    pub(crate) fn chunk(message: impl Into<String>) -> Self {
        Self { message: message.into(), chunk: 0, line: Vec::new() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.chunk > 0 {
            write!(f, "chunk {}: ", self.chunk)?;
        }
        f.write_str(&self.message)?;
        if self.chunk > 0 {
            let line = if self.line.is_empty() { "the start".to_owned() } else { self.line.join(" ") };
            write!(f, " (after {line})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

/// What a certificate proves, and how large it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The header.
    pub header: Header,
    /// The claimant's moves that are stored.
    pub moves: u64,
    /// Positions settled by a rule.
    pub leaves: u64,
    /// Positions looked at.
    pub positions: u64,
}

/// Check a certificate of a game that the checker knows.
///
/// # Errors
/// If it proves nothing.
pub fn check(file: &[u8]) -> Result<Checked, Fault> {
    check_by(file, |header| rules::open(&header.spec, header.sheet.as_deref()))
}

/// Check a certificate by rules that the caller provides.
///
/// # Errors
/// If it proves nothing.
pub fn check_by(file: &[u8], open: impl FnOnce(&Header) -> Option<Box<dyn Rules>>) -> Result<Checked, Fault> {
    let (header, _) = Header::read(file)?;
    let game = open(&header).ok_or_else(|| Fault::header(2, "there is no such game"))?;
    follow(file, &*game, &mut |_| {})
}

/// What a strategy does where the claimant is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move, unless a rule settles the position as it is.
    pub play: Option<Move>,
    /// The rule that settles the position, or the one after the move.
    pub rule: Rule,
    /// What the rule reads.
    pub hints: Vec<u32>,
}

/// What a certificate says about a position.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The number of the claim, from 0.
    pub claim: usize,
    /// The position.
    pub position: Position,
    /// What is done there. With the opponent to move it is the rule alone.
    pub step: Step,
}

/// Check a certificate, and tell of every step as it is read.
///
/// # Errors
/// If it proves nothing.
pub fn follow(file: &[u8], game: &dyn Rules, seen: &mut dyn FnMut(Seen)) -> Result<Checked, Fault> {
    let (header, mut next) = Header::read(file)?;
    let roots = accepted(&header, game)?;
    let mut checked = Checked { header, moves: 0, leaves: 0, positions: 0 };
    for (i, chunk) in checked.header.chunks.iter().enumerate() {
        let end = next.checked_add(chunk.bytes).filter(|&end| end <= file.len());
        let cut_off = || Fault { chunk: i + 1, ..Fault::chunk("the file ends before it does") };
        let packed = &file[next..end.ok_or_else(cut_off)?];
        next += chunk.bytes;
        let mut pass = Pass::new(&checked.header, game, i, &roots, packed, seen);
        if let Err(fault) = pass.run(&roots[i], chunk) {
            return Err(Fault { chunk: i + 1, line: pass.line_text(&roots[i]), ..fault });
        }
        checked.moves += pass.moves;
        checked.leaves += pass.leaves;
        checked.positions += pass.positions;
    }
    if next != file.len() {
        return Err(Fault::chunk("something follows the last chunk"));
    }
    Ok(checked)
}

/// Whether the game has the rules and the positions of a header; the roots of its chunks.
fn accepted(header: &Header, game: &dyn Rules) -> Result<Vec<Position>, Fault> {
    let wrong = |message: String| Fault::chunk(format!("header: {message}"));
    for (here, list) in [(true, &header.here), (false, &header.after)] {
        for &rule in list {
            if !theorems::belongs(rule, game.lines(), here) {
                return Err(wrong(format!("the rule '{rule}' does not belong there")));
            }
        }
    }
    if header.strategy == header.here.contains(&Rule::Steal) {
        return Err(wrong("the level is not that of its rules".into()));
    }
    if header.forced && game.lines().is_none() {
        return Err(wrong("'forced' is for games with lines".into()));
    }
    if header.leaf && !game.lines().is_some_and(|lines| lines.kind == Kind::Connect4) {
        return Err(wrong("'leaf' is for connect4".into()));
    }
    let read = |board: &str, side| {
        game.read(board, side).ok_or_else(|| wrong(format!("'{board}' is no position of {}", header.spec)))
    };
    let root = read(&header.board, header.side)?;
    let roots: Vec<Position> =
        header.chunks.iter().map(|chunk| read(&chunk.board, chunk.side)).collect::<Result<_, _>>()?;
    for (i, claim) in header.claims.iter().enumerate() {
        let first = header.chunks.iter().zip(&roots).find(|(chunk, _)| chunk.claim == i);
        if !first.is_some_and(|(chunk, first)| *first == root && chunk.within == claim.within) {
            return Err(wrong(format!("claim {} has no chunk for its position", i + 1)));
        }
    }
    Ok(roots)
}

/// One pass over a chunk.
struct Pass<'a> {
    game: &'a dyn Rules,
    lines: Option<&'a LineGame>,
    header: &'a Header,
    claim: Claim,
    tokens: Tokens<'a>,
    /// Positions proved before, as their least images, with the least limit.
    known: HashMap<Vec<u8>, u32>,
    /// The roots of the other chunks of the claim, likewise.
    elsewhere: HashMap<Vec<u8>, u32>,
    line: Vec<Move>,
    moves: u64,
    leaves: u64,
    positions: u64,
    number: usize,
    /// Who is told of every step, the position and the move that it is about, and the hints read for it.
    seen: &'a mut dyn FnMut(Seen),
    pending: Option<(Position, Option<Move>)>,
    hints: Vec<u32>,
}

type Proved = Result<(), Fault>;

fn refuse(message: &str) -> Proved {
    Err(Fault::chunk(message))
}

impl<'a> Pass<'a> {
    fn new(
        header: &'a Header,
        game: &'a dyn Rules,
        number: usize,
        roots: &[Position],
        packed: &'a [u8],
        seen: &'a mut dyn FnMut(Seen),
    ) -> Self {
        let chunk = &header.chunks[number];
        let claim = Claim { within: chunk.within, ..header.claims[chunk.claim] };
        let mut pass = Self {
            game,
            lines: game.lines(),
            header,
            claim,
            tokens: Tokens::new(packed),
            known: HashMap::new(),
            elsewhere: HashMap::new(),
            line: Vec::new(),
            moves: 0,
            leaves: 0,
            positions: 0,
            number: chunk.claim,
            seen,
            pending: None,
            hints: Vec::new(),
        };
        for (i, other) in header.chunks.iter().enumerate() {
            if i != number && other.claim == chunk.claim && other.side == claim.side {
                let least = pass.elsewhere.entry(least_image(game, &roots[i])).or_insert(ANY);
                *least = other.within.min(*least);
            }
        }
        pass
    }

    fn run(&mut self, root: &Position, chunk: &Chunk) -> Proved {
        self.prove(root, chunk.within)?;
        if self.known.len() as u64 > chunk.remembered {
            return refuse("remembers more positions than the header says");
        }
        self.tokens.finish(chunk)
    }

    /// The texts of the moves that have led to a fault.
    fn line_text(&self, root: &Position) -> Vec<String> {
        let mut p = root.clone();
        let mut texts = Vec::new();
        for &m in &self.line {
            texts.push(self.game.text(&p, m));
            p = self.game.play(&p, m);
        }
        texts
    }

    /// Go on after a move. If the proof fails there, the line of moves stays as it is, to be told.
    fn after(&mut self, p: &Position, m: Move, then: impl FnOnce(&mut Self, &Position) -> Proved) -> Proved {
        self.line.push(m);
        if self.line.len() > MOST_MOVES {
            return refuse("the game is too long");
        }
        then(self, &self.game.play(p, m))?;
        self.line.pop();
        Ok(())
    }

    fn prove(&mut self, p: &Position, w: u32) -> Proved {
        self.positions += 1;
        if let Some(winner) = self.game.result(p) {
            return self.ended(winner);
        }
        if w == 0 {
            return refuse("the game takes longer than is claimed");
        }
        if p.side == self.claim.side {
            return self.claimant(p, w);
        }
        let rule = self.tokens.token()?;
        let rule =
            *self.header.after.get(rule as usize).ok_or_else(|| Fault::chunk("there is no such rule"))?;
        self.pending = Some((p.clone(), None));
        self.opponent(p, w, rule)
    }

    fn ended(&self, winner: Option<ludex_core::Side>) -> Proved {
        if self.claim.satisfied(winner) { Ok(()) } else { refuse("the game does not end as is claimed") }
    }

    fn claimant(&mut self, p: &Position, w: u32) -> Proved {
        let (game, header, claim) = (self.game, self.header, self.claim);
        let satisfied = |&m: &Move| game.ends(p, m).is_some_and(|winner| claim.satisfied(winner));
        if header.win && game.moves(p).iter().any(satisfied) {
            return Ok(());
        }
        let image = header.repeat.then(|| least_image(game, p));
        if let Some(image) = &image {
            let has = |known: &HashMap<Vec<u8>, u32>| known.get(image).is_some_and(|&limit| limit <= w);
            if has(&self.known) || !self.line.is_empty() && has(&self.elsewhere) {
                return Ok(());
            }
        }
        // Where nothing depends on them the candidates are left alone until a move is read.
        let early = (header.leaf || header.only)
            .then(|| candidates(header.forced, game, &claim, p).collect::<Vec<_>>());
        if header.leaf
            && let (Some(lines), Some(moves)) = (self.lines, &early)
            && let Some((m, rule)) = theorems::leaf(lines, &header.after, &claim, p, moves, w)
        {
            self.leaves += 1;
            self.pending = Some((p.clone(), Some(m)));
            self.tell(rule);
            return Ok(());
        }
        let step = match early.as_deref() {
            Some(&[only]) if header.only => Some((only, Rule::Play)),
            _ => self.stored(p, w, early)?,
        };
        if let Some((m, rule)) = step {
            self.pending = Some((p.clone(), Some(m)));
            self.after(p, m, |pass, q| pass.moved(q, w, rule))?;
        }
        if let Some(image) = image {
            self.known.insert(image, w);
        }
        Ok(())
    }

    /// Read a step that is written down. A rule for the position as it is is applied; a move is returned, with the rule after it.
    fn stored(
        &mut self,
        p: &Position,
        w: u32,
        early: Option<Vec<Move>>,
    ) -> Result<Option<(Move, Rule)>, Fault> {
        let header = self.header;
        let token = self.tokens.token()? as usize;
        if let Some(&rule) = header.here.get(token) {
            self.leaves += 1;
            self.pending = Some((p.clone(), None));
            self.here(p, w, rule)?;
            self.tell(rule);
            return Ok(None);
        }
        let token = token - header.here.len();
        let kinds = header.after.len();
        let (i, rule) =
            if header.leaf { (token, Rule::Play) } else { (token / kinds, header.after[token % kinds]) };
        let m = match early {
            Some(moves) => moves.get(i).copied(),
            None => candidates(header.forced, self.game, &self.claim, p).nth(i),
        };
        let m = m.ok_or_else(|| Fault::chunk("there is no move of this number"))?;
        self.moves += 1;
        Ok(Some((m, rule)))
    }

    /// The position after a stored move of the claimant.
    fn moved(&mut self, q: &Position, w: u32, rule: Rule) -> Proved {
        self.positions += 1;
        let result = self.game.result(q);
        if result.is_none() && w == 1 {
            return refuse("the game takes longer than is claimed");
        }
        if result.is_none() && q.side != self.claim.side {
            return self.opponent(q, one_less(w), rule);
        }
        if rule != Rule::Play {
            return refuse("a rule stands where the opponent is not to move");
        }
        self.tell(rule);
        match result {
            Some(winner) => self.ended(winner),
            None => self.claimant(q, one_less(w)),
        }
    }

    /// A rule for a position with the claimant to move.
    fn here(&mut self, p: &Position, w: u32, rule: Rule) -> Proved {
        let Some(lines) = self.lines else { return refuse("the game has no lines") };
        let applies = match rule {
            Rule::Dead => theorems::dead(lines, &self.claim, p),
            Rule::Steal => theorems::steal(&self.claim, p),
            Rule::Stop => {
                let pairs = self.pairs(p)?;
                theorems::stop(lines, &self.claim, p, w, true, &pairs)
            }
            _ => {
                let sequence = self.cells(p)?;
                let proved = theorems::threats(lines, &self.claim, &p.cells, &sequence);
                proved.filter(|proved| proved.moves <= w).map(|_| ())
            }
        };
        applies.ok_or_else(|| Fault::chunk(format!("the rule '{rule}' does not apply")))
    }

    fn opponent(&mut self, p: &Position, w: u32, rule: Rule) -> Proved {
        // The cells in which replies are answered; `None` for all of them.
        let mut answered = None;
        if rule != Rule::Play {
            self.leaves += 1;
            let Some(lines) = self.lines else { return refuse("the game has no lines") };
            let claim = self.claim;
            let settled = |applies: theorems::Applies| applies.map(|()| BTreeSet::new());
            answered = match rule {
                Rule::Dead => settled(theorems::dead(lines, &claim, p)),
                Rule::Stop => {
                    let pairs = self.pairs(p)?;
                    settled(theorems::stop(lines, &claim, p, w, false, &pairs))
                }
                Rule::Guard => {
                    let listed = (0..self.count(p)?).map(|_| self.pairs(p)).collect::<Result<Vec<_>, _>>()?;
                    theorems::guard(lines, &claim, p, w, &listed)
                }
                Rule::Zone => {
                    let sequences =
                        (0..self.count(p)?).map(|_| self.cells(p)).collect::<Result<Vec<_>, _>>()?;
                    theorems::zone(lines, &claim, p, one_less(w), &sequences)
                }
                rule => settled(theorems::follow(lines, rule, &claim, p, w)),
            };
            if answered.is_none() {
                return Err(Fault::chunk(format!("the rule '{rule}' does not apply")));
            }
        }
        self.tell(rule);
        if answered.as_ref().is_some_and(BTreeSet::is_empty) {
            return Ok(());
        }
        let moves = self.game.moves(p);
        if moves.is_empty() {
            return refuse("the opponent has no move");
        }
        for m in moves {
            let cell = self.lines.map_or(0, |lines| lines.cell_of(p, m));
            if answered.as_ref().is_none_or(|cells| cells.contains(&cell)) {
                self.after(p, m, |pass, q| pass.prove(q, one_less(w)))?;
            }
        }
        Ok(())
    }

    /// Tell of the step that has been read.
    fn tell(&mut self, rule: Rule) {
        let hints = std::mem::take(&mut self.hints);
        if let Some((position, play)) = self.pending.take() {
            (self.seen)(Seen { claim: self.number, position, step: Step { play, rule, hints } });
        }
    }

    /// A hint.
    fn hint(&mut self) -> Result<usize, Fault> {
        let hint = self.tokens.token()?;
        self.hints.push(hint);
        Ok(hint as usize)
    }

    /// A number of things, of which there are no more than cells.
    fn count(&mut self, p: &Position) -> Result<usize, Fault> {
        let count = self.hint()?;
        if count <= p.cells.len() { Ok(count) } else { Err(Fault::chunk("a list is too long")) }
    }

    fn cells(&mut self, p: &Position) -> Result<Vec<usize>, Fault> {
        (0..self.count(p)?).map(|_| self.hint()).collect()
    }

    fn pairs(&mut self, p: &Position) -> Result<Vec<[usize; 2]>, Fault> {
        (0..self.count(p)?).map(|_| Ok([self.hint()?, self.hint()?])).collect()
    }
}

/// The moves that have numbers: if `forced` is implied, those that are not refuted at once. Such a move ends the game otherwise than is
/// claimed, or the opponent's next may.
pub fn candidates(forced: bool, game: &dyn Rules, claim: &Claim, p: &Position) -> impl Iterator<Item = Move> {
    let bad = move |p: &Position, m: Move| game.ends(p, m).map(|winner| !claim.satisfied(winner));
    let refuted = move |m: Move| {
        bad(p, m).unwrap_or_else(|| {
            let q = game.play(p, m);
            q.side != claim.side && game.moves(&q).into_iter().any(|reply| bad(&q, reply) == Some(true))
        })
    };
    game.moves(p).into_iter().filter(move |&m| !(forced && refuted(m)))
}

/// The least of all images of a position, as its cells.
#[must_use]
pub fn least_image(game: &dyn Rules, p: &Position) -> Vec<u8> {
    let mut least = p.cells.clone();
    for map in game.symmetries() {
        let image = map.iter().map(|&cell| p.cells[cell]);
        if image.clone().lt(least.iter().copied()) {
            least = image.collect();
        }
    }
    least
}
