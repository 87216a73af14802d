//! The `.pg` text format of positional games (Mayer-Eichberger and Saffidine): reading and writing.
//!
//! Sections begin with `#`, comments with `%`. `#times` are the plies, `#blackturns` those of Black, `#positions` the
//! cells; `#blackwins` and `#whitewins` have one winning set per line; `#blackinitials`, `#whiteinitials` are stones
//! to begin with, `#firstmoves` the cells allowed at the first ply. `#version` is kept as it is. Files of a later kind say
//! their winning sets in other words ([`goals`](super::goals)); they are written with the sets.

use std::{borrow::Cow, collections::HashMap, fmt::Write as _};

use ludex_core::{Error, ErrorCode};

use super::goals::Field;

/// What a file says, checked.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sheet {
    /// The words of `#version`.
    pub version: Vec<String>,
    /// The names of the plies.
    pub times: Vec<String>,
    /// By ply, whether it is Black's.
    pub black_turn: Vec<bool>,
    /// The names of the cells.
    pub cells: Vec<String>,
    /// Black's winning sets, as indices of cells.
    pub black_wins: Vec<Vec<usize>>,
    /// White's winning sets.
    pub white_wins: Vec<Vec<usize>>,
    /// Black's stones at the start.
    pub black: Vec<usize>,
    /// White's stones at the start.
    pub white: Vec<usize>,
    /// The cells allowed at the first ply, if they are restricted.
    pub first: Option<Vec<usize>>,
}

const SECTIONS: [&str; 16] = [
    "#version",
    "#times",
    "#blackturns",
    "#positions",
    "#blackwins",
    "#whitewins",
    "#blackinitials",
    "#whiteinitials",
    "#firstmoves",
    "#neighbours",
    "#startboarder",
    "#endboarder",
    "#blackgoal",
    "#whitegoal",
    // What the tools of others found out about a file; they change no rule.
    "#distances",
    "#unreachablepairs",
];

/// How many of them the plain form has; the others say the winning sets in other words.
const PLAIN: usize = 9;

/// Sections of BDDL, a language for more games, in which the moves are in a second file.
const OTHERS: [&str; 5] = ["#boardsize", "#init", "#depth", "#blackactions", "#whiteactions"];

/// The most winning sets of a side.
pub(super) const MOST_SETS: usize = 1 << 16;

/// The lines of a section: its own number, and of every line with words its number and the words.
#[derive(Default)]
pub(super) struct Section<'a> {
    pub(super) line: usize,
    pub(super) lines: Vec<(usize, Vec<&'a str>)>,
}

impl<'a> Section<'a> {
    pub(super) fn words(&self) -> impl Iterator<Item = (usize, &'a str)> + '_ {
        self.lines.iter().flat_map(|(line, words)| words.iter().map(|&word| (*line, word)))
    }
}

pub(super) fn fault(line: usize, what: impl std::fmt::Display, hint: impl Into<String>) -> Error {
    Error::new(ErrorCode::BadFile, format!("line {line}: {what}"), hint)
}

/// Numbers of names, refusing a name that comes twice.
fn numbered<'a>(section: &Section<'a>, what: &str) -> Result<HashMap<&'a str, usize>, Error> {
    let mut numbers = HashMap::new();
    for (i, (line, name)) in section.words().enumerate() {
        if numbers.insert(name, i).is_some() {
            return Err(fault(
                line,
                format!("the {what} '{name}' comes twice"),
                format!("name every {what} once"),
            ));
        }
    }
    Ok(numbers)
}

/// The number of a name.
pub(super) fn find(
    names: &HashMap<&str, usize>,
    line: usize,
    name: &str,
    what: &str,
    list: &str,
) -> Result<usize, Error> {
    names.get(name).copied().ok_or_else(|| {
        fault(line, format!("there is no {what} '{name}'"), format!("every {what} is named in {list}"))
    })
}

fn split(text: &str) -> Result<HashMap<&'static str, Section<'_>>, Error> {
    let mut sections: HashMap<&'static str, Section<'_>> = HashMap::new();
    let mut current: Option<&'static str> = None;
    for (i, line) in text.lines().enumerate() {
        let number = i + 1;
        let line = line.split('%').next().unwrap_or("").trim();
        if line.starts_with('#') {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or("");
            if OTHERS.contains(&name) {
                return Err(fault(
                    number,
                    format!("'{name}' is of another format, BDDL, whose moves are in a file of their own"),
                    "a positional game has #times #blackturns #positions and #blackwins",
                ));
            }
            let Some(known) = SECTIONS.into_iter().find(|s| *s == name) else {
                return Err(fault(
                    number,
                    format!("there is no section '{name}'"),
                    format!("the sections are {}", SECTIONS[..PLAIN].join(" ")),
                ));
            };
            if sections.contains_key(known) {
                return Err(fault(number, format!("the section {known} comes twice"), "put it all into one"));
            }
            let section = sections.entry(known).or_default();
            section.line = number;
            let rest: Vec<&str> = words.collect();
            if !rest.is_empty() {
                section.lines.push((number, rest));
            }
            current = Some(known);
        } else if !line.is_empty() {
            let Some(section) = current.and_then(|name| sections.get_mut(name)) else {
                return Err(fault(
                    number,
                    format!("'{line}' stands before the first section"),
                    "begin with #times",
                ));
            };
            section.lines.push((number, line.split_whitespace().collect()));
        }
    }
    Ok(sections)
}

impl Sheet {
    /// Read a file's text.
    ///
    /// # Errors
    /// If anything is unknown, missing, repeated or does not add up, with the number of the line.
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut sections = split(text)?;
        let end = text.lines().count().max(1);
        let has = |name: &str| sections.contains_key(name);
        let goals = ["#startboarder", "#endboarder", "#blackgoal", "#whitegoal"].iter().any(|name| has(name));
        let paths = has("#startboarder") || has("#endboarder");
        let mut needed = vec!["#times", "#blackturns", "#positions"];
        if goals {
            needed.push("#neighbours");
        }
        if paths {
            needed.extend(["#startboarder", "#endboarder"]);
        } else if !has("#blackgoal") {
            needed.push("#blackwins");
        }
        for needed in needed {
            if !sections.contains_key(needed) {
                return Err(fault(
                    end,
                    format!("the section {needed} is missing"),
                    format!("add a line {needed}"),
                ));
            }
        }
        let mut take = |name: &'static str| sections.remove(name);
        let (times, turns) = (take("#times").unwrap_or_default(), take("#blackturns").unwrap_or_default());
        let (positions, wins) =
            (take("#positions").unwrap_or_default(), take("#blackwins").unwrap_or_default());
        let plies = numbered(&times, "time")?;
        let mut black_turn = vec![false; plies.len()];
        for (line, name) in turns.words() {
            let turn = &mut black_turn[find(&plies, line, name, "time", "#times")?];
            if std::mem::replace(turn, true) {
                return Err(fault(
                    line,
                    format!("the turn '{name}' comes twice"),
                    "name every turn of Black once",
                ));
            }
        }
        let cells = numbered(&positions, "position")?;
        if cells.is_empty() {
            return Err(fault(positions.line, "#positions names no cell", "name the cells of the board"));
        }
        let cell = |line: usize, name: &str| find(&cells, line, name, "position", "#positions");
        let sets = |section: Section<'_>| -> Result<Vec<Vec<usize>>, Error> {
            let read = |(line, words): &(usize, Vec<&str>)| {
                let mut set = words.iter().map(|name| cell(*line, name)).collect::<Result<Vec<_>, _>>()?;
                set.sort_unstable();
                set.dedup();
                Ok(set)
            };
            section.lines.iter().map(read).collect()
        };
        let wins_line = wins.line;
        let mut black_wins = sets(wins)?;
        let mut white_wins = take("#whitewins").map_or(Ok(Vec::new()), sets)?;
        let mut taken = vec![false; cells.len()];
        let mut stones = |section: Option<Section<'_>>| -> Result<Vec<usize>, Error> {
            let mut list = Vec::new();
            for (line, name) in section.unwrap_or_default().words() {
                let c = cell(line, name)?;
                if std::mem::replace(&mut taken[c], true) {
                    return Err(fault(
                        line,
                        format!("'{name}' has a stone already"),
                        "name every stone once",
                    ));
                }
                list.push(c);
            }
            Ok(list)
        };
        let black = stones(take("#blackinitials"))?;
        let white = stones(take("#whiteinitials"))?;
        if let Some(section) = take("#neighbours").filter(|_| goals) {
            let moves = black_turn.iter().filter(|black| **black).count();
            let field = Field { cells: &cells, black: &black, white: &white, moves };
            let near = field.neighbours(&section)?;
            if let (Some(start), Some(end)) = (take("#startboarder"), take("#endboarder")) {
                black_wins.extend(field.paths(&near, &start, &end)?);
            }
            for (name, wins) in [("#blackgoal", &mut black_wins), ("#whitegoal", &mut white_wins)] {
                if let Some(goal) = take(name) {
                    wins.extend(field.shapes(&near, &goal)?);
                }
            }
        }
        for (name, wins) in [("Black", &black_wins), ("White", &white_wins)] {
            if wins.len() > MOST_SETS {
                return Err(fault(
                    wins_line.max(1),
                    format!("{name} has {} winning sets", wins.len()),
                    format!("at most {MOST_SETS}"),
                ));
            }
        }
        if black_wins.is_empty() {
            return Err(fault(
                wins_line.max(1),
                "#blackwins has no winning set",
                "write one set of positions per line",
            ));
        }
        let free = cells.len() - black.len() - white.len();
        if plies.len() > free {
            return Err(fault(
                times.line,
                format!("{} times, but only {free} free positions", plies.len()),
                "every time takes a position",
            ));
        }
        let first = match take("#firstmoves") {
            None => None,
            Some(section) => {
                let mut list = Vec::new();
                for (line, name) in section.words() {
                    let c = cell(line, name)?;
                    if taken[c] {
                        return Err(fault(
                            line,
                            format!("the first move '{name}' is taken"),
                            "name free positions",
                        ));
                    }
                    list.push(c);
                }
                (!list.is_empty()).then_some(list)
            }
        };
        let version = take("#version").map_or(Vec::new(), |s| s.words().map(|(_, w)| w.to_owned()).collect());
        let owned = |section: &Section<'_>| section.words().map(|(_, w)| w.to_owned()).collect::<Vec<_>>();
        Ok(Self {
            version,
            times: owned(&times),
            black_turn,
            cells: owned(&positions),
            black_wins,
            white_wins,
            black,
            white,
            first,
        })
    }

    /// The plain form of a text: itself if it lists its winning sets, and otherwise with the sets.
    ///
    /// # Errors
    /// As [`read`](Sheet::read).
    pub fn plain(text: &str) -> Result<Cow<'_, str>, Error> {
        let sheet = Self::read(text)?;
        let later = split(text)?.keys().any(|name| !SECTIONS[..PLAIN].contains(name));
        Ok(if later { Cow::Owned(sheet.write()) } else { Cow::Borrowed(text) })
    }

    /// Write it so that [`read`](Sheet::read) reads the same.
    #[must_use]
    pub fn write(&self) -> String {
        let names =
            |cells: &[usize]| cells.iter().map(|&c| self.cells[c].as_str()).collect::<Vec<_>>().join(" ");
        let mut text = String::new();
        let mut section = |name: &str, lines: &[String]| {
            let _ = writeln!(text, "{name}");
            lines.iter().for_each(|line| {
                let _ = writeln!(text, "{line}");
            });
        };
        if !self.version.is_empty() {
            section("#version", &[self.version.join(" ")]);
        }
        let black: Vec<&str> =
            self.times.iter().zip(&self.black_turn).filter(|(_, b)| **b).map(|(t, _)| t.as_str()).collect();
        section("#times", &[self.times.join(" ")]);
        section("#blackturns", &[black.join(" ")]);
        section("#positions", &[self.cells.join(" ")]);
        section("#blackwins", &self.black_wins.iter().map(|set| names(set)).collect::<Vec<_>>());
        if !self.white_wins.is_empty() {
            section("#whitewins", &self.white_wins.iter().map(|set| names(set)).collect::<Vec<_>>());
        }
        for (name, list) in [("#blackinitials", &self.black), ("#whiteinitials", &self.white)] {
            if !list.is_empty() {
                section(name, &[names(list)]);
            }
        }
        if let Some(first) = &self.first {
            section("#firstmoves", &[names(first)]);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "% a square\n#version 1\n#times\nt1 t2 t3\n#blackturns\nt1 t3\n#positions\na b c d\n#blackwins\na b % first\nb c\n#blackinitials\nd\n#firstmoves\na b\n";

    #[test]
    fn writing_reads_back() {
        let sheet = Sheet::read(GOOD).expect("a good file");
        assert_eq!(sheet.black_wins, [vec![0, 1], vec![1, 2]]);
        assert_eq!(sheet.black_turn, [true, false, true]);
        assert_eq!(Sheet::read(&sheet.write()), Ok(sheet));
    }

    #[test]
    fn faults_are_named_by_line() {
        for (change, message) in [
            (("a b %", "a x %"), "line 10: there is no position 'x'"),
            (("t1 t3", "t1 t4"), "line 6: there is no time 't4'"),
            (("t1 t3", "t1 t1"), "line 6: the turn 't1' comes twice"),
            (("a b c d", "a b c a"), "line 8: the position 'a' comes twice"),
            (("t1 t2 t3", "t1 t2 t3 t4"), "line 3: 4 times, but only 3 free positions"),
            (("#firstmoves\na b", "#firstmoves\nd"), "line 15: the first move 'd' is taken"),
            (("#blackinitials\nd", "#blackinitials\nd d"), "line 13: 'd' has a stone already"),
            (("#blackinitials", "#initials"), "line 12: there is no section '#initials'"),
            (("#blackinitials\nd", "#times\nd"), "line 12: the section #times comes twice"),
            (("a b % first\nb c\n", ""), "line 9: #blackwins has no winning set"),
            (("#times\nt1 t2 t3\n", ""), "line 13: the section #times is missing"),
            (("#version 1", "1"), "line 2: '1' stands before the first section"),
        ] {
            let text = GOOD.replacen(change.0, change.1, 1);
            let error = Sheet::read(&text).expect_err(message);
            assert_eq!(error.message, message);
            assert!(!error.hint.is_empty());
        }
    }
}
