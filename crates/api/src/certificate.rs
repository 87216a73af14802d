//! Certificates that somebody sends: checked before anything is said of them, then walked through move by move.
//!
//! The last few stay open, so that a walk checks its file once. Whatever is sent, a check ends in its time and fits into its
//! memory.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use ludex_core::{Cancel, Error, ErrorCode, Reason, Said, Side};
use ludex_judge::{AnyGame, Registry, answer::VERSION};
use ludex_proof::{
    Book, Checked, Header, follow,
    rules::{self, LineGame, Move, Position, Rules},
    walk::{self, Place},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::objects::WalkKind;

/// The largest file that is read, in bytes.
pub const MOST_BYTES: usize = 1 << 20;

/// What an open certificate may hold, and all that stay open together, in bytes.
const MOST_MEMORY: usize = 128 << 20;

/// How many stay open.
const MOST_OPEN: usize = 8;

/// A certificate, and where a walk through it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Walk {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: WalkKind,
    /// The version of the interface.
    pub version: u32,
    /// The canonical spec.
    pub game: String,
    /// The position that the certificate is about.
    pub start: String,
    /// What it proves, in sentences.
    pub claims: Vec<String>,
    /// The same, to be said in any language.
    pub said: Vec<Said>,
    /// The claim that is walked through, from 1.
    pub claim: usize,
    /// Whose strategy it is.
    pub claimant: Side,
    /// Whether a strategy is given, or the value alone.
    pub level: String,
    /// The rules it uses besides moves.
    pub rules: Vec<String>,
    /// Moves that are stored.
    pub moves: u64,
    /// Positions settled by a rule.
    pub leaves: u64,
    /// Positions that the checker looked at.
    pub positions: u64,
    /// The size of the file.
    pub bytes: usize,
    /// The SHA-256 of its header, which names those of its parts.
    pub sha256: String,
    /// The position of the walk.
    pub position: String,
    /// Who is to move there.
    pub to_move: Side,
    /// The claimant's move there, on their turn.
    pub reply: Option<String>,
    /// The rule that applies there, or has settled it before.
    pub rule: Option<String>,
    /// Whether a rule, or the end of the game, has settled it.
    pub settled: bool,
    /// Why the claim holds there.
    pub reason: Reason,
}

/// A certificate that was checked.
pub struct Opened {
    rules: Box<dyn Rules>,
    game: Box<dyn AnyGame>,
    checked: Checked,
    books: Vec<Book>,
    start: Position,
    bytes: usize,
    weight: usize,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened").field("header", &self.checked.header).finish_non_exhaustive()
    }
}

/// Those that stay open, the last used at the end.
#[derive(Debug, Default)]
pub struct Certificates {
    open: Mutex<VecDeque<(String, Arc<Opened>)>>,
}

impl Certificates {
    /// The certificate of a file: one that is open already, or checked now.
    ///
    /// # Errors
    /// If it proves nothing, is about a game that is not here, is too large, or its check was stopped.
    pub fn open(&self, file: &[u8], registry: &Registry, cancel: &Cancel) -> Result<Arc<Opened>, Error> {
        let digest = ludex_proof::digest(file);
        let lock = || self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |open: &mut VecDeque<(String, Arc<Opened>)>| {
            let at = open.iter().position(|(name, _)| *name == digest)?;
            open.remove(at)
        };
        let found = known(&mut lock());
        let opened = match found {
            Some((_, opened)) => opened,
            None => Arc::new(read(file, registry, cancel)?),
        };
        let mut open = lock();
        let _ = known(&mut open);
        open.push_back((digest, opened.clone()));
        while open.len() > MOST_OPEN || open.iter().map(|(_, one)| one.weight).sum::<usize>() > MOST_MEMORY {
            open.pop_front();
        }
        Ok(opened)
    }
}

fn read(file: &[u8], registry: &Registry, cancel: &Cancel) -> Result<Opened, Error> {
    let (header, _) = Header::read(file).map_err(|fault| walk::refused(&fault))?;
    let game = registry.open_foreign(&header.spec)?;
    // The checker's own rules, as everywhere; a game that only this program knows is played by its own.
    let own = rules::open(&header.spec, header.sheet.as_deref());
    let foreign = !rules::FAMILIES.contains(&game.family().name);
    let no_rules = || Error::spec(format!("the checker has no game '{}'", header.spec), "see ludex games");
    let rules = own.or_else(|| foreign.then(|| game.rules())).ok_or_else(no_rules)?;
    let no_position = || {
        let message =
            format!("the certificate is refused: '{}' is no position of {}", header.board, header.spec);
        Error::new(ErrorCode::BadCertificate, message, "it proves nothing; ludex check FILE says the same")
    };
    let start = rules.read(&header.board, header.side).ok_or_else(no_position)?;
    // A first pass counts the steps, and stops where they would take too much memory: a step is kept with its position, twice.
    let step = 2 * start.cells.len() + 200;
    let full = AtomicBool::new(false);
    let stoppable = Stoppable { rules: &*rules, cancel, full: &full };
    let mut steps = 0;
    let counted = follow(file, &stoppable, &mut |_| {
        steps += 1;
        full.fetch_or(steps > MOST_MEMORY / step, Relaxed);
    });
    if full.load(Relaxed) {
        let message = "the certificate has more steps than this server opens";
        return Err(Error::new(ErrorCode::TooLarge, message, "walk through it with ludex explain FILE"));
    }
    let read = counted.and_then(|_| Book::read(file, &stoppable));
    if cancel.is_cancelled() {
        let hint = "check it with ludex check FILE, and walk through it with ludex explain FILE";
        return Err(Error::new(ErrorCode::Stopped, "the certificate was not checked in time", hint));
    }
    let (checked, books) = read.map_err(|fault| walk::refused(&fault))?;
    let weight = books.iter().map(Book::len).sum::<usize>() * step;
    Ok(Opened { rules, game, checked, books, start, bytes: file.len(), weight })
}

impl Opened {
    /// Walk along moves of both sides.
    ///
    /// # Errors
    /// If there is no such claim, or a move is wrong.
    pub fn walk(&self, claim: usize, moves: &[String]) -> Result<Walk, Error> {
        let header = &self.checked.header;
        let (Some(&stated), Some(book)) = (header.claims.get(claim), self.books.get(claim)) else {
            let message = format!("there is no claim {}", claim.saturating_add(1));
            let hint = format!("from 1 to {}", header.claims.len());
            return Err(Error::new(ErrorCode::BadClaim, message, hint));
        };
        let sides = self.game.side_names();
        let walk = walk::Walk { game: &*self.rules, book, claim: stated, sides };
        let place = walk.along(&self.start, moves)?;
        let said: Vec<Said> = header.claims.iter().map(|claim| claim.said(sides)).collect();
        let rules = header.here.iter().chain(&header.after).filter(|&&rule| rule != rules::Rule::Play);
        Ok(Walk {
            kind: WalkKind::Walk,
            version: VERSION,
            game: self.game.spec(),
            start: self.text(&self.start)?,
            claims: said.iter().map(Said::to_string).collect(),
            said,
            claim: claim + 1,
            claimant: stated.side,
            level: if header.strategy { "strategy" } else { "position" }.into(),
            rules: rules.map(ToString::to_string).collect(),
            moves: self.checked.moves,
            leaves: self.checked.leaves,
            positions: self.checked.positions,
            bytes: self.bytes,
            sha256: header.digest(),
            position: self.text(&place.position)?,
            to_move: place.position.side,
            reply: self.reply(&place),
            rule: place.rule.map(|rule| rule.to_string()),
            settled: place.settled,
            reason: place.reason,
        })
    }

    /// The text of a position as the game itself writes it.
    fn text(&self, p: &Position) -> Result<String, Error> {
        let text = format!("{} {}", self.rules.write(p), p.side);
        Ok(self.game.view_part(&text, 0..0)?.0.position)
    }

    fn reply(&self, place: &Place) -> Option<String> {
        place.play.map(|m| self.rules.text(&place.position, m))
    }
}

/// Rules that know no more moves once they are told to stop, or enough has been read: a checker refuses the file there and then.
struct Stoppable<'a> {
    rules: &'a dyn Rules,
    cancel: &'a Cancel,
    full: &'a AtomicBool,
}

impl Rules for Stoppable<'_> {
    fn read(&self, board: &str, side: Side) -> Option<Position> {
        self.rules.read(board, side)
    }

    fn write(&self, p: &Position) -> String {
        self.rules.write(p)
    }

    fn result(&self, p: &Position) -> Option<Option<Side>> {
        self.rules.result(p)
    }

    fn moves(&self, p: &Position) -> Vec<Move> {
        if self.cancel.is_cancelled() || self.full.load(Relaxed) { Vec::new() } else { self.rules.moves(p) }
    }

    fn play(&self, p: &Position, m: Move) -> Position {
        self.rules.play(p, m)
    }

    fn text(&self, p: &Position, m: Move) -> String {
        self.rules.text(p, m)
    }

    fn ends(&self, p: &Position, m: Move) -> Option<Option<Side>> {
        self.rules.ends(p, m)
    }

    fn symmetries(&self) -> &[Vec<usize>] {
        self.rules.symmetries()
    }

    fn lines(&self) -> Option<&LineGame> {
        self.rules.lines()
    }
}
