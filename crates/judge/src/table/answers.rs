//! Asking a finished table.

use std::{collections::BTreeMap, path::Path};

use ludex_core::{Bounds, Code, Error, ErrorCode, Game, Notation, Numbering, Outcome, Side, Value, sort_by};
use ludex_search::retrograde::key_bytes;
use ludex_store::tablebase::Tablebase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Study, words};

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
    pub fn open(game: &G, study: &dyn Study<G>, path: &Path) -> Result<Self, Error> {
        Self::over(game, study, Tablebase::open(path)?)
    }

    /// A table that is open already.
    ///
    /// # Errors
    /// If it is of another game.
    pub fn over(game: &G, study: &dyn Study<G>, table: Tablebase) -> Result<Self, Error> {
        let (heading, path) = (table.heading(), table.path());
        if heading.spec != game.spec() {
            return Err(Error::new(
                ErrorCode::WrongTable,
                format!("{} is a table of {}, not of {}", path.display(), heading.spec, game.spec()),
                "name the table of this game",
            ));
        }
        let other = || {
            Error::new(
                ErrorCode::WrongTable,
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
            let numbering = study.numbering(game).ok_or_else(other)?;
            let same = numbering.tiers().iter().map(|t| t.len).eq(table.tiers().iter().map(|t| t.entries));
            if !same {
                return Err(other());
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
    pub fn value(&self, game: &G, p: &G::Position) -> Result<Option<Value>, Error> {
        match game.outcome(p) {
            Some(outcome) => Ok(Some(Value::ended(outcome))),
            None => self.held(game, p),
        }
    }

    /// The value that is written in the file, whether the game goes on or not.
    pub(super) fn held(&self, game: &G, p: &G::Position) -> Result<Option<Value>, Error> {
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

    /// The numbers of the positions, where they have some.
    pub(super) fn numbering(&self) -> Option<&dyn Numbering<G>> {
        self.numbering.as_deref()
    }

    pub(super) fn code(&self, raw: u64) -> Code {
        if self.table.heading().value_bits == 2 { Code::of_class(raw as u8) } else { Code(raw as u8) }
    }

    /// Every move of an unfinished game with its value, best first, then in the moves' own order; `None` if the table
    /// lacks a position after one of them.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn moves(
        &self,
        game: &G,
        study: &dyn Study<G>,
        p: &G::Position,
    ) -> Result<Option<Vec<MoveValue<G::Move>>>, Error> {
        let mut moves = Vec::new();
        game.each_move(p, |m| moves.push(m));
        let mut list = Vec::new();
        for m in moves {
            let child = game.play(p, m);
            let value = self.value(game, &child)?;
            // Where moves lead out of the numbering, the game may tell at once.
            let Some(value) = value.or_else(|| study.afterwards(game, &child)?.value()) else {
                return Ok(None);
            };
            let value = if game.side(&child) == game.side(p) { value.later() } else { value.back() };
            list.push(MoveValue { m, value });
        }
        sort_by(&mut list, |a, b| b.value.cmp(&a.value).then(a.m.cmp(&b.m)));
        Ok(Some(list))
    }

    /// A line of best play, as far as the table goes.
    ///
    /// # Errors
    /// If the file is damaged.
    pub fn line(&self, game: &G, study: &dyn Study<G>, p: &G::Position) -> Result<Vec<G::Move>, Error> {
        let (mut p, mut line) = (*p, Vec::new());
        while game.outcome(&p).is_none() {
            let Some(best) = self.moves(game, study, &p)?.and_then(|list| list.first().copied()) else {
                break;
            };
            line.push(best.m);
            p = game.play(&p, best.m);
        }
        Ok(line)
    }
}

/// The type of a [`Probed`] object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum ProbeKind {
    /// `probe`.
    Probe,
}

/// A move in the answer of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProbedMove {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    /// How it ends for the side that makes it.
    pub outcome: Outcome,
    /// Plies from the position before it, if the table has them.
    pub plies: Option<u32>,
}

/// What a table says of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Probed {
    /// Which object this is.
    #[serde(rename = "type")]
    pub kind: ProbeKind,
    /// The spec of the game.
    #[serde(rename = "game")]
    pub spec: String,
    /// The canonical text of the position.
    pub position: String,
    /// Who is to move.
    pub to_move: Side,
    /// How it ends for the side to move.
    pub outcome: Outcome,
    /// Plies to the end, if the table has them.
    pub plies: Option<u32>,
    /// All best moves.
    pub best: Vec<String>,
    /// A line of best play.
    pub pv: Vec<String>,
    /// Every move, best first.
    pub moves: Vec<ProbedMove>,
    /// The verdict in a sentence.
    #[serde(default)]
    pub sentence: String,
}

/// What a file says of a position of its game; of the start if none is named.
pub(super) fn probe<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    path: &Path,
    position: Option<&str>,
) -> Result<Probed, Error> {
    let answers = Answers::open(game, study, path)?;
    let none = || Error::position(format!("{} has no fixed start", game.spec()), "name a position");
    let p = match position {
        Some(text) => game.parse_position(text)?,
        None => game.root().ok_or_else(none)?,
    };
    let missing = || {
        let text = game.position_text(&p);
        Error::new(
            ErrorCode::NotInTable,
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
    let moves = if over { None } else { answers.moves(game, study, &p)? };
    let moves =
        if over || answers.is_book() { moves.unwrap_or_default() } else { moves.ok_or_else(missing)? };
    let best = moves.first().map(|m| m.value);
    let (mut q, mut pv) = (p, Vec::new());
    for m in answers.line(game, study, &p)? {
        pv.push(game.move_text(&q, m));
        q = game.play(&q, m);
    }
    let side = game.side(&p);
    Ok(Probed {
        kind: ProbeKind::Probe,
        spec: game.spec(),
        position: game.position_text(&p),
        to_move: side,
        outcome: value.outcome(),
        plies: value.plies(),
        best: moves.iter().filter(|m| Some(m.value) == best).map(|m| game.move_text(&p, m.m)).collect(),
        pv,
        moves: moves
            .iter()
            .map(|m| ProbedMove {
                text: game.move_text(&p, m.m),
                outcome: m.value.outcome(),
                plies: m.value.plies(),
            })
            .collect(),
        sentence: words::verdict(game.side_names(), side, Bounds::exact(value), over),
    })
}
