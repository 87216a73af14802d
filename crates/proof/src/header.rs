//! The header of a certificate: text lines in a fixed order.

use std::fmt;

use ludex_core::{Side, hex};
use sha2::{Digest as _, Sha256};

use crate::{Fault, rules::Rule};

/// No limit on the number of moves.
pub const ANY: u32 = u32::MAX;

/// The limit after a move.
#[must_use]
pub fn one_less(w: u32) -> u32 {
    if w == ANY { ANY } else { w.saturating_sub(1) }
}

/// What may be implied, in the order of the words.
pub(crate) const IMPLIED: [&str; 5] = ["win", "forced", "repeat", "leaf", "only"];
pub(crate) const FIRST_LINE: &str = "ludex certificate 1";
/// The empty line after the header does not count.
const MOST_BYTES: usize = (1 << 20) + 1;

/// What is claimed of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Whose strategy it is.
    pub side: Side,
    /// Whether that side wins, and not only draws.
    pub win: bool,
    /// Within so many moves of both sides, or [`ANY`] number.
    pub within: u32,
}

impl Claim {
    /// Whether a finished game, with this winner, is what the claim says.
    #[must_use]
    pub fn satisfied(&self, winner: Option<Side>) -> bool {
        winner == Some(self.side) || winner.is_none() && !self.win
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.side, if self.win { "win" } else { "draw" })?;
        if self.within == ANY { Ok(()) } else { write!(f, " within {}", self.within) }
    }
}

/// A line about a part of the proof that can be checked apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The number of its claim, from 0.
    pub claim: usize,
    /// Its limit, or [`ANY`].
    pub within: u32,
    /// Compressed size.
    pub bytes: usize,
    /// Size when inflated.
    pub inflated: u64,
    /// How many positions are remembered at most.
    pub remembered: u64,
    /// SHA-256 of what it inflates to.
    pub sha256: String,
    /// The board of its root.
    pub board: String,
    /// Who is to move there.
    pub side: Side,
}

/// Everything before the chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game.
    pub spec: String,
    /// The text of the game's file, where it comes from one.
    pub sheet: Option<String>,
    /// The board of the position.
    pub board: String,
    /// Who is to move.
    pub side: Side,
    /// What is claimed.
    pub claims: Vec<Claim>,
    /// Whether a strategy is given, and not the value alone.
    pub strategy: bool,
    /// Whether a move that ends the game as claimed is left out.
    pub win: bool,
    /// Whether moves that are refuted at once have no number.
    pub forced: bool,
    /// Whether positions that were proved before are left out.
    pub repeat: bool,
    /// Whether moves into positions that a rule settles are left out.
    pub leaf: bool,
    /// Whether a move is left out where all others are refuted at once.
    pub only: bool,
    /// The rules for positions with the claimant to move.
    pub here: Vec<Rule>,
    /// The rules for positions with the opponent to move.
    pub after: Vec<Rule>,
    /// The parts of the proof.
    pub chunks: Vec<Chunk>,
}

impl Header {
    /// Read the header of a file, and say where its chunks begin.
    ///
    /// # Errors
    /// If a line is not what it should be.
    pub fn read(file: &[u8]) -> Result<(Self, usize), Fault> {
        let mut lines = Lines { file, next: 0, number: 0 };
        lines.exactly(FIRST_LINE)?;
        let spec = lines.value("game")?.to_owned();
        let mut line = lines.line()?;
        let mut sheet = None;
        if let Some(count) = line.strip_prefix("sheet ") {
            let mut text = String::new();
            for _ in 0..lines.need(number(count))? {
                text.push_str(lines.line()?);
                text.push('\n');
            }
            sheet = Some(text);
            line = lines.line()?;
        }
        let (board, side) = lines.need(line.strip_prefix("position ").and_then(place))?;
        let mut claims = Vec::new();
        let level = loop {
            let line = lines.line()?;
            if let Some(level) = line.strip_prefix("level ") {
                break level;
            }
            claims.push(lines.need(claim(line, claims.len() + 1))?);
        };
        let strategy = lines.need(["position", "strategy"].iter().position(|word| *word == level))? == 1;
        lines.need((!claims.is_empty()).then_some(()))?;
        lines.exactly("tables none")?;
        let implied: Vec<&str> = match lines.value("implied")? {
            "nothing" => Vec::new(),
            words => words.split(' ').collect(),
        };
        let has = |word| implied.contains(&word);
        let [win, forced, repeat, leaf, only] = IMPLIED.map(has);
        let all = IMPLIED.into_iter().filter(|word| has(word));
        lines.need((all.eq(implied.iter().copied()) && (forced || !only)).then_some(()))?;
        let here = lines.value("here").map(rules)?;
        let here = lines.need(here)?;
        let after = lines.value("after").map(rules)?;
        let after = lines.need(after.filter(|after| after.contains(&Rule::Play)))?;
        let mut chunks = Vec::new();
        loop {
            let before = lines.next;
            let line = lines.line()?;
            if let Some(digest) = line.strip_prefix("digest sha256 ") {
                lines.need((digest == hex(&Sha256::digest(&file[..before]))).then_some(()))?;
                break;
            }
            chunks.push(lines.need(chunk(line, chunks.len() + 1, &claims))?);
        }
        lines.exactly("")?;
        #[rustfmt::skip]
        let header = Self {
            spec, sheet, board, side, claims, strategy, win, forced, repeat, leaf, only, here, after, chunks,
        };
        Ok((header, lines.next))
    }
}

/// The lines of a header, one after the other.
struct Lines<'a> {
    file: &'a [u8],
    next: usize,
    number: usize,
}

impl<'a> Lines<'a> {
    fn line(&mut self) -> Result<&'a str, Fault> {
        self.number += 1;
        let rest = &self.file[self.next..self.file.len().min(MOST_BYTES)];
        let end = rest.iter().position(|&byte| byte == b'\n');
        let text = end.and_then(|end| std::str::from_utf8(&rest[..end]).ok());
        let text = text.ok_or_else(|| Fault::header(self.number, "no line of text"))?;
        self.next += text.len() + 1;
        Ok(text)
    }

    fn exactly(&mut self, wanted: &str) -> Result<(), Fault> {
        let line = self.line()?;
        if line == wanted { Ok(()) } else { Err(Fault::header(self.number, format!("should be '{wanted}'"))) }
    }

    fn value(&mut self, key: &str) -> Result<&'a str, Fault> {
        let line = self.line()?;
        let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(' '));
        value.ok_or_else(|| Fault::header(self.number, format!("should begin with '{key}'")))
    }

    fn need<T>(&self, value: Option<T>) -> Result<T, Fault> {
        value.ok_or_else(|| Fault::header(self.number, "is not of the form that the format has here"))
    }
}

/// A decimal number without sign and leading zeros.
pub(crate) fn number(text: &str) -> Option<u64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text.len() == 1 || !text.starts_with('0'));
    if plain { text.parse().ok().filter(|&n: &u64| n < 1 << 32) } else { None }
}

fn side(text: &str) -> Option<Side> {
    [Side::First, Side::Second].into_iter().find(|side| side.word() == text)
}

fn place(text: &str) -> Option<(String, Side)> {
    let (board, word) = text.split_once(' ')?;
    Some((board.to_owned(), side(word)?))
}

fn limit(text: &str) -> Option<u32> {
    u32::try_from(number(text)?).ok().filter(|&limit| limit < ANY)
}

fn claim(line: &str, wanted: usize) -> Option<Claim> {
    let words: Vec<&str> = line.split(' ').collect();
    let (within, words) = match words.as_slice() {
        [words @ .., "within", moves] => (limit(moves)?, words),
        words => (ANY, words),
    };
    let ["claim", n, who, outcome] = words else { return None };
    let win = *outcome == "win";
    (win || *outcome == "draw" && within == ANY).then_some(())?;
    (number(n)? == wanted as u64).then_some(Claim { side: side(who)?, win, within })
}

fn rules(words: &str) -> Option<Vec<Rule>> {
    if words == "nothing" {
        return Some(Vec::new());
    }
    let mut rules = Vec::new();
    for word in words.split(' ') {
        let rule: Rule = word.parse().ok()?;
        if rules.contains(&rule) {
            return None;
        }
        rules.push(rule);
    }
    Some(rules)
}

fn chunk(line: &str, wanted: usize, claims: &[Claim]) -> Option<Chunk> {
    let mut words = line.split(' ');
    let mut value = |key: &str| words.next().filter(|word| *word == key).and_then(|_| words.next());
    (number(value("chunk")?)? == wanted as u64).then_some(())?;
    let claim = usize::try_from(number(value("claim")?)?).ok()?.checked_sub(1)?;
    let within = Some(value("within")?).filter(|word| *word != "any").map_or(Some(ANY), limit)?;
    (claims.get(claim)?.win || within == ANY).then_some(())?;
    let lower_hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    let digest = |text: &&str| text.len() == 64 && text.bytes().all(lower_hex);
    let read = Chunk {
        claim,
        within,
        bytes: usize::try_from(number(value("bytes")?)?).ok()?,
        inflated: number(value("inflated")?).filter(|&size| size <= 1 << 31)?,
        remembered: number(value("remembered")?)?,
        sha256: value("sha256").filter(digest)?.to_owned(),
        board: value("position")?.to_owned(),
        side: side(words.next()?)?,
    };
    words.next().is_none().then_some(read)
}
