//! Asking a finished table.

use std::{collections::BTreeMap, path::Path};

use ludex_core::{Bounds, Code, Game, Goal, InputError, Notation, Numbering, Playable, Value};
use ludex_games::registry::{self, Visitor};
use ludex_search::retrograde::key_bytes;
use ludex_store::tablebase::Tablebase;
use serde::Serialize;

use super::TableFault;
use crate::{known, words};

/// A table together with the numbering of its game.
pub struct Answers<G: Game> {
    table: Tablebase,
    numbering: Option<Box<dyn Numbering<G>>>,
    by_rank: BTreeMap<u32, usize>,
}

impl<G: Game> std::fmt::Debug for Answers<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Answers({})", self.table.heading().spec)
    }
}

/// A move and what it is worth to the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue<M> {
    /// The move.
    pub m: M,
    /// Its value before the move, plies included if the table has them.
    pub value: Value,
}

impl<G: Notation> Answers<G> {
    /// Open the table of a game.
    ///
    /// # Errors
    /// If it cannot be read, or is of another game.
    pub fn open(game: &G, path: &Path) -> Result<Self, TableFault> {
        Self::over(game, Tablebase::open(path)?)
    }

    /// A table that is open already.
    ///
    /// # Errors
    /// If it is of another game.
    pub fn over(game: &G, table: Tablebase) -> Result<Self, TableFault> {
        let (heading, path) = (table.heading(), table.path());
        if heading.spec != game.spec() {
            return Err(InputError::new(
                "wrong_table",
                format!("{} is a table of {}, not of {}", path.display(), heading.spec, game.spec()),
                "name the table of this game",
            )
            .into());
        }
        let other = || {
            InputError::new(
                "wrong_table",
                format!("{} was made by another numbering than this program's", path.display()),
                "build it again",
            )
        };
        let mut by_rank = BTreeMap::new();
        let numbering = if heading.key_bytes > 0 {
            for (tier, about) in table.tiers().iter().enumerate() {
                let rank = about.name.strip_prefix("rank ").and_then(|r| r.split(',').next()?.parse().ok());
                by_rank.insert(rank.ok_or_else(other)?, tier);
            }
            None
        } else {
            let numbering = game.numbering().ok_or_else(other)?;
            let same = numbering.tiers().iter().map(|t| t.len).eq(table.tiers().iter().map(|t| t.entries));
            if !same {
                return Err(other().into());
            }
            Some(numbering)
        };
        Ok(Self { table, numbering, by_rank })
    }

    /// The file.
    #[must_use]
    pub fn table(&self) -> &Tablebase {
        &self.table
    }

    /// Whether it is an opening book and not the table of a whole game.
    #[must_use]
    pub fn is_book(&self) -> bool {
        self.table.heading().plies.is_some()
    }

    /// Whether the table tells plies, and not only who wins.
    #[must_use]
    pub fn has_plies(&self) -> bool {
        self.table.heading().goal == "distance"
    }

    /// The value of a position for its side to move; `None` if the table does not hold it.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn value(&self, game: &G, p: &G::Position) -> Result<Option<Value>, TableFault> {
        if let Some(outcome) = game.outcome(p) {
            return Ok(Some(Value::ended(outcome)));
        }
        let raw = match &self.numbering {
            Some(numbering) => match numbering.place(p) {
                Some(place) => Some(self.table.value(place.tier, place.index)?),
                None => None,
            },
            None => match self.by_rank.get(&game.rank(p)) {
                Some(&tier) => self.table.find(tier, &key_bytes(game.key(p), game.key_bits()))?,
                None => None,
            },
        };
        Ok(raw.and_then(|raw| self.code(raw).value()))
    }

    pub(super) fn code(&self, raw: u64) -> Code {
        if self.table.heading().value_bits == 2 { Code::of_class(raw as u8) } else { Code(raw as u8) }
    }

    /// Every move of an unfinished game with its value, best first, then in the moves' own order; `None` if the table
    /// lacks a position after one of them.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn moves(&self, game: &G, p: &G::Position) -> Result<Option<Vec<MoveValue<G::Move>>>, TableFault> {
        let mut moves = Vec::new();
        game.each_move(p, |m| moves.push(m));
        let mut list = Vec::new();
        for m in moves {
            let child = game.play(p, m);
            let value = self.value(game, &child)?;
            // Where moves lead out of the numbering, the game may tell at once.
            let Some(value) = value.or_else(|| known::afterwards(game, &child)?.value()) else {
                return Ok(None);
            };
            let value = if game.side(&child) == game.side(p) { value.later() } else { value.back() };
            list.push(MoveValue { m, value });
        }
        list.sort_by(|a, b| b.value.cmp(&a.value).then(a.m.cmp(&b.m)));
        Ok(Some(list))
    }

    /// A line of best play, as far as the table goes.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn line(&self, game: &G, p: &G::Position) -> Result<Vec<G::Move>, TableFault> {
        let (mut p, mut line) = (*p, Vec::new());
        while game.outcome(&p).is_none() {
            let Some(best) = self.moves(game, &p)?.and_then(|list| list.first().copied()) else { break };
            line.push(best.m);
            p = game.play(&p, best.m);
        }
        Ok(line)
    }
}

/// A move in the answer of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProbedMove {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// For the side that makes it: `win`, `draw` or `loss`.
    pub outcome: &'static str,
    /// Plies from the position before it, if the table has them.
    pub plies: Option<u32>,
}

/// What a table says of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Probed {
    /// `probe`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The spec of the game.
    #[serde(rename = "game")]
    pub spec: String,
    /// The canonical text of the position.
    pub position: String,
    /// `first` or `second`.
    pub to_move: &'static str,
    /// For the side to move: `win`, `draw` or `loss`.
    pub outcome: &'static str,
    /// Plies to the end, if the table has them.
    pub plies: Option<u32>,
    /// All best moves.
    pub best: Vec<String>,
    /// A line of best play.
    pub pv: Vec<String>,
    /// Every move, best first.
    pub moves: Vec<ProbedMove>,
    /// The verdict in words.
    #[serde(skip)]
    pub sentence: String,
}

/// Look a position up in a file, whatever its game; the start if none is named.
///
/// # Errors
/// If the file or the position is none, or the table does not hold it.
pub fn probe(path: &Path, position: Option<&str>) -> Result<Probed, TableFault> {
    struct Ask<'a>(&'a Path, Option<&'a str>);
    impl Visitor for Ask<'_> {
        type Output = Result<Probed, TableFault>;
        fn visit<G: Playable>(self, game: G) -> Self::Output {
            ask(&game.for_goal(Goal::Distance), self.0, self.1)
        }
    }
    let spec = Tablebase::open(path)?.heading().spec.parse()?;
    registry::visit(&spec, Ask(path, position))?
}

fn ask<G: Playable>(game: &G, path: &Path, position: Option<&str>) -> Result<Probed, TableFault> {
    let answers = Answers::open(game, path)?;
    let none = || InputError::position(format!("{} has no fixed start", game.spec()), "name a position");
    let p = match position {
        Some(text) => game.parse_position(text)?,
        None => game.root().ok_or_else(none)?,
    };
    let missing = || {
        let text = game.position_text(&p);
        InputError::new(
            "not_in_table",
            format!("the table does not hold {text}"),
            match answers.table().heading().plies {
                Some(plies) => format!("it holds the first {plies} plies; 'ludex solve' answers any position"),
                None => "it holds what play from the start leads to, or the deals; 'ludex solve' answers any position"
                    .into(),
            },
        )
    };
    let value = answers.value(game, &p)?.ok_or_else(missing)?;
    let over = game.outcome(&p).is_some();
    // Past the last ply of a book nothing is known of the moves.
    let moves = if over { None } else { answers.moves(game, &p)? };
    let moves =
        if over || answers.is_book() { moves.unwrap_or_default() } else { moves.ok_or_else(missing)? };
    let best = moves.first().map(|m| m.value);
    let (mut q, mut pv) = (p, Vec::new());
    for m in answers.line(game, &p)? {
        pv.push(game.move_text(&q, m));
        q = game.play(&q, m);
    }
    let side = game.side(&p);
    Ok(Probed {
        kind: "probe",
        spec: game.spec(),
        position: game.position_text(&p),
        to_move: side.word(),
        outcome: value.outcome().word(),
        plies: value.plies(),
        best: moves.iter().filter(|m| Some(m.value) == best).map(|m| game.move_text(&p, m.m)).collect(),
        pv,
        moves: moves
            .iter()
            .map(|m| ProbedMove {
                text: game.move_text(&p, m.m),
                outcome: m.value.outcome().word(),
                plies: m.value.plies(),
            })
            .collect(),
        sentence: words::verdict(game.side_names(), side, Bounds::exact(value), over),
    })
}
