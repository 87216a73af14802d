//! A certificate as a strategy: to be walked through, and to be written again in another form.

use std::collections::HashMap;

use ludex_core::{Error, ErrorCode};

use crate::{
    Checked, Fault, Header, Seen, check_by, follow, least_image,
    rules::{LineGame, Move, Position, Rule, Rules},
    writer::{self, Root, Step, Strategy},
};

/// What a certificate does in each position of one claim.
#[derive(Clone, Debug, Default)]
pub struct Book {
    steps: HashMap<(Vec<u8>, bool), (Position, Step)>,
}

impl Book {
    /// The books of a certificate, one for each claim, if it is a proof.
    ///
    /// # Errors
    /// If it proves nothing.
    pub fn read(file: &[u8], game: &dyn Rules) -> Result<(Checked, Vec<Self>), Fault> {
        let (header, _) = Header::read(file)?;
        let mut books = vec![Self::default(); header.claims.len()];
        let checked = follow(file, game, &mut |seen: Seen| {
            let claimant = seen.position.side == header.claims[seen.claim].side;
            let key = (least_image(game, &seen.position), claimant);
            books[seen.claim].steps.insert(key, (seen.position, seen.step));
        })?;
        Ok((checked, books))
    }

    /// What is done in a position; `None` if the certificate does not mention it.
    #[must_use]
    pub fn step(&self, game: &dyn Rules, p: &Position, claimant: bool) -> Option<Step> {
        let (known, step) = self.steps.get(&(least_image(game, p), claimant))?;
        if known == p {
            return Some(step.clone());
        }
        // The known position is an image: `map[i]` is the cell of `p` that lies on its cell `i`. A position with symmetries of its
        // own has several maps, and the move and the hints must be moved by the same one.
        let after = step.play.map(|m| game.play(known, m));
        for map in game.symmetries() {
            let is = |image: &Position, of: &Position| {
                map.iter().zip(&image.cells).all(|(&from, &cell)| of.cells[from] == cell)
            };
            if !is(known, p) {
                continue;
            }
            let play = match &after {
                Some(after) => {
                    let moved = game.moves(p).into_iter().find(|&m| is(after, &game.play(p, m)));
                    let Some(moved) = moved else { continue };
                    Some(moved)
                }
                None => None,
            };
            return Some(Step {
                play,
                rule: moved_rule(step.rule, game.lines()),
                hints: moved_hints(step, map),
            });
        }
        None
    }

    /// Add what another book of the same claim does, in positions that this one does not mention.
    pub fn join(&mut self, other: Self) {
        for (key, step) in other.steps {
            self.steps.entry(key).or_insert(step);
        }
    }

    /// Let the claimant make a move in a position. Whatever follows the replies to it must be in the book as well.
    pub fn play(&mut self, game: &dyn Rules, p: &Position, m: Move) {
        let step = Step { play: Some(m), rule: Rule::Play, hints: Vec::new() };
        self.steps.insert((least_image(game, p), true), (p.clone(), step));
    }

    /// How many steps there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The positions with the claimant to move.
    pub fn positions(&self) -> impl Iterator<Item = &Position> {
        self.steps.iter().filter(|((_, claimant), _)| *claimant).map(|(_, (position, _))| position)
    }
}

/// A rule in the looking glass: Connect Four has no other symmetry.
fn moved_rule(rule: Rule, lines: Option<&LineGame>) -> Rule {
    match (rule, lines) {
        (Rule::Odd(column), Some(lines)) => Rule::Odd(lines.width as u32 + 1 - column),
        (rule, _) => rule,
    }
}

/// Hints with their cells moved; counts stay.
fn moved_hints(step: &Step, map: &[usize]) -> Vec<u32> {
    let mut hints = step.hints.clone();
    let mut cell = |i: usize| hints[i] = map[hints[i] as usize] as u32;
    match step.rule {
        Rule::Stop | Rule::Threats => (1..step.hints.len()).for_each(&mut cell),
        Rule::Zone | Rule::Guard => {
            let each = if step.rule == Rule::Guard { 2 } else { 1 };
            let mut next = 1;
            while next < step.hints.len() {
                let end = next + 1 + each * step.hints[next] as usize;
                (next + 1..end).for_each(&mut cell);
                next = end;
            }
        }
        _ => {}
    }
    hints
}

impl Strategy for Book {
    fn decide(&mut self, game: &dyn Rules, p: &Position, _: u32) -> Result<Step, Error> {
        self.step(game, p, true).ok_or_else(|| missing(game, p))
    }

    fn settle(&mut self, game: &dyn Rules, p: &Position, _: u32) -> Result<(Rule, Vec<u32>), Error> {
        // Whatever is known of it, answering every reply is enough.
        let step = self.step(game, p, false);
        Ok(step.map_or((Rule::Play, Vec::new()), |step| (step.rule, step.hints)))
    }
}

fn missing(game: &dyn Rules, p: &Position) -> Error {
    let message = format!("the certificate says nothing of {} {}", game.write(p), p.side);
    Error::new(ErrorCode::BadCertificate, message, "")
}

/// Write certificates of one position again as one file with all their claims, in chunks with at most so many positions.
///
/// # Errors
/// If one of them proves nothing, or they are about different positions.
pub fn rewrite(
    files: &[Vec<u8>],
    open: &dyn Fn(&Header) -> Option<Box<dyn Rules>>,
    most: usize,
) -> Result<Vec<u8>, Error> {
    let bad = |message: String| Error::new(ErrorCode::BadCertificate, message, "ludex check FILE says more");
    let mut all: Option<(Header, Box<dyn Rules>)> = None;
    let mut books = Vec::new();
    for file in files {
        let checked = check_by(file, open).map_err(|fault| bad(fault.to_string()))?;
        let (header, game) = match all {
            None => {
                let game = open(&checked.header).ok_or_else(|| bad("there is no such game".into()))?;
                let header = Header { claims: Vec::new(), chunks: Vec::new(), ..checked.header.clone() };
                all.insert((header, game))
            }
            Some(ref mut all) => all,
        };
        let same = |h: &Header| {
            let implied = [h.win, h.forced, h.repeat, h.leaf, h.only];
            (h.spec.clone(), h.sheet.clone(), h.board.clone(), h.side, implied)
        };
        if same(header) != same(&checked.header) {
            return Err(bad("the certificates are about different positions".into()));
        }
        header.claims.extend(&checked.header.claims);
        books.extend(Book::read(file, &**game).map_err(|fault| bad(fault.to_string()))?.1);
    }
    let (header, game) = all.ok_or_else(|| bad("no certificate was named".into()))?;
    let position = game.read(&header.board, header.side).ok_or_else(|| bad("no position".into()))?;
    let mut roots: Vec<Root> = Vec::new();
    for (claim, stated) in header.claims.iter().enumerate() {
        let root =
            Root { claim, board: header.board.clone(), position: position.clone(), within: stated.within };
        roots.push(root);
    }
    let mut strategies: Vec<&mut dyn Strategy> = books.iter_mut().map(|b| b as &mut dyn Strategy).collect();
    writer::write_in_chunks(header, &*game, roots, &mut strategies, most)
}
