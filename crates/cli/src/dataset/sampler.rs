//! Where the positions of a dataset come from, in an order that the order fixes.

use std::{collections::HashSet, fmt, path::PathBuf, str::FromStr};

use ludex_core::{Budget, Error, ErrorCode};
use ludex_judge::{AnyGame, Met, Question, Style, Terms};
use sha2::{Digest as _, Sha256};

use crate::{
    exit::{Failure, failed},
    objects::DatasetOrder,
};

/// Games in a row in which nothing new is met: there is hardly anything left to be met.
const PATIENCE: u64 = 10_000;

/// The memory in which all positions are listed.
const LISTING: u64 = 1 << 30;

/// Where positions come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sample {
    /// Games in which any move is made.
    Random,
    /// Games in which each side takes a win and does not let the other one win at once.
    Play,
    /// All positions.
    All,
    /// A file with a position on every line.
    From(PathBuf),
}

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "random" => Ok(Self::Random),
            "play" => Ok(Self::Play),
            "all" => Ok(Self::All),
            _ => match text.strip_prefix("from=") {
                Some(file) if !file.is_empty() && file != "-" => Ok(Self::From(file.into())),
                Some(_) => {
                    Err("name a file, such as from=positions.txt; standard input cannot be read again when a run goes on"
                        .into())
                }
                None => Err(format!("'{text}' is not a sample: write random, play, all or from=FILE")),
            },
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Play => f.write_str("play"),
            Self::All => f.write_str("all"),
            Self::From(file) => {
                write!(f, "from={}", file.file_name().unwrap_or(file.as_os_str()).to_string_lossy())
            }
        }
    }
}

impl Sample {
    /// Whether it ends only when it is told to.
    pub const fn is_endless(&self) -> bool {
        matches!(self, Self::Random | Self::Play)
    }

    /// The sample as the order has it: a file is known by its content.
    pub fn fixed(&self) -> Result<String, Failure> {
        let Self::From(file) = self else { return Ok(self.to_string()) };
        let bytes = std::fs::read(file).map_err(failed(format!("cannot read {}", file.display())))?;
        let digest: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(format!("from {digest}"))
    }

    /// The positions of the file, if it is one; each of them is one of the game.
    pub fn read(&self, game: &dyn AnyGame) -> Result<Vec<String>, Failure> {
        let Self::From(file) = self else { return Ok(Vec::new()) };
        let text =
            std::fs::read_to_string(file).map_err(failed(format!("cannot read {}", file.display())))?;
        let mut positions = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                let at = |e: Error| e.at(format_args!("line {} of {}", i + 1, file.display()));
                positions.push(game.state(line).map_err(at)?.position);
            }
        }
        if positions.is_empty() {
            let message = format!("{} has no positions", file.display());
            return Err(Error::new(
                ErrorCode::BadFile,
                message,
                "one position on every line; # begins a comment",
            )
            .into());
        }
        Ok(positions)
    }
}

/// There is nothing to take a position from.
pub fn over() -> Error {
    Error::new(ErrorCode::GameOver, "the game is over at the start", "name another position")
}

/// Call `visit` with every position of a sample until there are as many as were ordered or it says that it is enough.
pub fn each(
    game: &dyn AnyGame,
    order: &DatasetOrder,
    (question, terms): (&Question, &Terms),
    sample: &Sample,
    listed: &[String],
    visit: &mut dyn FnMut(Met) -> bool,
) -> Result<(), Error> {
    let most = order.positions.unwrap_or(u64::MAX);
    let (mut taken, mut seen) = (0, HashSet::new());
    // Whether it is new, and whether to go on.
    let mut meet = |met: Met| {
        let name = match order.distinct.as_str() {
            "none" => None,
            "symmetry" => Some(met.class.clone()),
            _ => Some(met.position.clone().into_bytes()),
        };
        let new = name.is_none_or(|name| seen.insert(name.into_boxed_slice()));
        let more = !new || {
            taken += 1;
            visit(met) && taken < most
        };
        (new, more)
    };
    let style = match sample {
        Sample::Random => Style::Random,
        Sample::Play => Style::Greedy,
        Sample::All => {
            let budget = Budget { memory: LISTING, time: None, nodes: None, threads: 1 };
            let question = Question { budget, ..question.clone() };
            return game.met_anywhere(&question, terms, &mut |met| meet(met).1);
        }
        Sample::From(_) => {
            for position in listed {
                if !meet(game.met_at(position)?).1 {
                    break;
                }
            }
            return Ok(());
        }
    };
    let (mut number, mut missed) = (0, 0);
    while missed < PATIENCE {
        let Some(met) = game.met_by_chance(question, terms, style, number)? else {
            if terms.cancel.is_cancelled() {
                return Ok(());
            }
            return Err(over());
        };
        let (new, more) = meet(met);
        if !more {
            break;
        }
        missed = if new { 0 } else { missed + 1 };
        number += 1;
    }
    Ok(())
}
