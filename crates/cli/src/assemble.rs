//! `prove --farm`: the first moves are chosen here, workers prove what follows each of them, and one certificate is made of all.

use std::collections::{HashSet, VecDeque};

use ludex_core::{Error, ErrorCode, Outcome, Side};
use ludex_farm::{At, Chore};
use ludex_judge::{AnyGame, Question, Terms};
use ludex_proof::{
    ANY, Book, Claim, Header, least_image,
    rules::{Position, Rules},
    writer::{self, Root, Strategy},
};
use serde_json::Value;

use crate::{chores, context::Context};

/// Certificates of positions, as a chore: the order is effort and memory, a part a position and a claim.
#[derive(Debug)]
pub struct Proofs;

/// A position, whose claim it is, and whether it is a win.
type Part = (String, Side, bool);

impl Chore for Proofs {
    fn name(&self) -> &'static str {
        "prove"
    }

    fn part(&self, at: &At<'_>, order: &Value, part: &Value) -> Result<Option<Value>, Error> {
        let (effort, memory): (u32, u64) = chores::read(order, "an order")?;
        let (position, side, win): Part = chores::read(part, "a part")?;
        chores::within(memory, at.memory)?;
        let mut question = Question::at(&position);
        question.budget.memory = memory;
        let claim = Claim { side, win, within: ANY };
        match at.game.prove(&question, &[claim], effort, at.terms) {
            Ok(file) => Ok(Some(Value::from(file))),
            Err(_) if at.terms.cancel.is_cancelled() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What a search remembers of earlier parts may make it choose other moves. A certificate is checked by whoever takes it.
    fn repeats(&self, _: &Value) -> bool {
        false
    }
}

/// The claims that a verdict allows.
fn worth(game: &dyn AnyGame, question: &Question, terms: &Terms) -> Result<Vec<Claim>, Error> {
    let verdict = game.solve(question, terms)?;
    let claim = |side, win| Claim { side, win, within: ANY };
    match verdict.outcome {
        Some(Outcome::Win) => Ok(vec![claim(verdict.to_move, true)]),
        Some(Outcome::Loss) => Ok(vec![claim(verdict.to_move.other(), true)]),
        Some(Outcome::Draw) => Ok(vec![claim(Side::First, false), claim(Side::Second, false)]),
        None => Err(unsolved(&verdict.position)),
    }
}

fn unsolved(position: &str) -> Error {
    let message = format!("who wins {position} was not found out");
    Error::new(ErrorCode::Stopped, message, "give it more time or memory, or solve it first with a database")
}

/// What is asked of a farm.
pub struct Asked<'a> {
    pub url: &'a str,
    /// Moves of the claimant that are chosen here.
    pub moves: u32,
    pub effort: u32,
}

/// Write a certificate with the help of a farm.
pub fn prove(
    context: &Context,
    game: &dyn AnyGame,
    question: &Question,
    claims: &[Claim],
    asked: &Asked<'_>,
) -> Result<Vec<u8>, Error> {
    if claims.iter().any(|claim| claim.within != ANY) {
        let message = "a farm proves who wins, not within how many moves";
        return Err(Error::new(ErrorCode::BadArguments, message, "leave within=N or --farm out"));
    }
    let terms = context.terms()?;
    let start = match &question.position {
        Some(text) => game.state(text)?,
        None => game.state(&game.start(question.seed)?)?,
    };
    let question = Question { position: Some(start.position), seed: None, ..question.clone() };
    let claims = if claims.is_empty() { worth(game, &question, &terms)? } else { claims.to_vec() };
    let rules = game.rules();
    let top = Top { game, rules: &*rules, question: &question, terms: &terms };
    let mut begun = Vec::new();
    let (root, mut parts) = (top.root()?, Vec::new());
    for &claim in &claims {
        let mut book = Book::default();
        let open = top.choose(&root, claim, asked.moves, &mut book)?;
        begun.push((book, parts.len()..parts.len() + open.len()));
        parts.extend(open.iter().map(|p| -> Part { (top.text(p), claim.side, claim.win) }));
    }
    if parts.is_empty() {
        return game.prove(&question, &claims, asked.effort, &terms);
    }
    let order = (asked.effort, question.budget.memory);
    let files: Vec<Vec<u8>> = chores::done(context, asked.url, &Proofs, &game.spec(), &order, &parts)?;
    let refused = |part: usize, fault: &dyn std::fmt::Display| {
        Error::contradiction(format!("the certificate of {} is refused: {fault}", parts[part].0))
    };
    let mut header = None;
    let mut books = Vec::new();
    for ((mut book, range), claim) in begun.into_iter().zip(&claims) {
        for part in range {
            let (checked, found) =
                Book::read(&files[part], &*rules).map_err(|fault| refused(part, &fault))?;
            let (position, ..) = &parts[part];
            let first = header.get_or_insert_with(|| checked.header.clone());
            if !answers(&checked.header, first, &game.spec(), position, claim) {
                return Err(refused(part, &"it is about something else"));
            }
            found.into_iter().for_each(|found| book.join(found));
        }
        books.push(book);
    }
    let header = header.ok_or_else(|| Error::contradiction("no part has a certificate"))?;
    let header = Header {
        board: rules.write(&root),
        side: root.side,
        claims: claims.clone(),
        chunks: Vec::new(),
        strategy: true,
        ..header
    };
    let roots = claims.iter().enumerate().map(|(claim, stated)| Root {
        claim,
        board: header.board.clone(),
        position: root.clone(),
        within: stated.within,
    });
    let roots: Vec<Root> = roots.collect();
    let mut strategies: Vec<&mut dyn Strategy> = books.iter_mut().map(|b| b as &mut dyn Strategy).collect();
    writer::write(header, &*rules, &roots, &mut strategies)
}

/// Whether a certificate is of what was asked, and written in the way of the first one. A game from a file is known by the file's
/// text, which all parts must share.
fn answers(header: &Header, first: &Header, spec: &str, position: &str, claim: &Claim) -> bool {
    let way = |h: &Header| (h.spec.clone(), h.sheet.clone(), [h.win, h.forced, h.repeat, h.leaf, h.only]);
    let game = header.sheet.is_some() || header.spec == spec;
    let about = format!("{} {}", header.board, header.side) == position && header.claims == [*claim];
    game && about && way(header) == way(first)
}

/// The beginning of a strategy, in the checker's own rules.
struct Top<'a> {
    game: &'a dyn AnyGame,
    rules: &'a dyn Rules,
    question: &'a Question,
    terms: &'a Terms,
}

impl Top<'_> {
    fn text(&self, p: &Position) -> String {
        format!("{} {}", self.rules.write(p), p.side)
    }

    fn root(&self) -> Result<Position, Error> {
        let text = self.question.position.as_deref().unwrap_or_default();
        let state = self.game.state(text)?;
        let board = text.rsplit_once(' ').map_or(text, |(board, _)| board);
        self.rules.read(board, state.to_move).ok_or_else(|| {
            Error::contradiction(format!("the checker of certificates does not read '{board}'"))
        })
    }

    /// Choose the claimant's moves in all positions before his `moves`-th; those that are left, once each up to symmetry.
    fn choose(
        &self,
        root: &Position,
        claim: Claim,
        moves: u32,
        book: &mut Book,
    ) -> Result<Vec<Position>, Error> {
        let (mut open, mut met) = (Vec::new(), HashSet::new());
        let mut waiting = VecDeque::from([(root.clone(), 0)]);
        while let Some((p, made)) = waiting.pop_front() {
            let over = self.rules.result(&p).is_some();
            if over || !met.insert((least_image(self.rules, &p), p.side)) {
                continue;
            }
            if p.side != claim.side {
                waiting.extend(self.rules.moves(&p).iter().map(|&m| (self.rules.play(&p, m), made)));
            } else if made == moves {
                open.push(p);
            } else {
                let best = self.best(&p)?;
                let Some(m) = self.rules.moves(&p).into_iter().find(|&m| self.rules.text(&p, m) == best)
                else {
                    let message =
                        format!("the checker of certificates has no move {best} in {}", self.text(&p));
                    return Err(Error::contradiction(message));
                };
                book.play(self.rules, &p, m);
                waiting.push_back((self.rules.play(&p, m), made + 1));
            }
        }
        Ok(open)
    }

    /// A best move.
    fn best(&self, p: &Position) -> Result<String, Error> {
        let question = Question { position: Some(self.text(p)), ..self.question.clone() };
        let verdict = self.game.solve(&question, self.terms)?;
        if !verdict.is_solved() {
            return Err(unsolved(&verdict.position));
        }
        verdict.best.into_iter().next().ok_or_else(|| unsolved(&verdict.position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worker may send a certificate that proves something, and not what it was asked.
    #[test]
    fn a_certificate_of_something_else_is_no_answer() {
        let claim = Claim { side: Side::First, win: true, within: ANY };
        let right = Header {
            spec: "mnk:4,3,3".into(),
            sheet: None,
            board: "..../..../....".into(),
            side: Side::First,
            claims: vec![claim],
            strategy: true,
            win: true,
            forced: true,
            repeat: true,
            leaf: false,
            only: false,
            here: Vec::new(),
            after: Vec::new(),
            chunks: Vec::new(),
        };
        let is = |header: &Header| answers(header, &right, "mnk:4,3,3", "..../..../.... first", &claim);
        assert!(is(&right));
        let other = |change: &dyn Fn(&mut Header)| {
            let mut header = right.clone();
            change(&mut header);
            header
        };
        for wrong in [
            other(&|h| h.spec = "mnk:4,3,2".into()),
            other(&|h| h.sheet = Some("a file".into())),
            other(&|h| h.board = "X.../..../....".into()),
            other(&|h| h.side = Side::Second),
            other(&|h| h.claims = vec![Claim { win: false, ..claim }]),
            other(&|h| h.claims.push(claim)),
            other(&|h| h.forced = false),
        ] {
            assert!(!is(&wrong), "{wrong:?}");
        }
    }
}
