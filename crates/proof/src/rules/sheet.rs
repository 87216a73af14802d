//! Positional games from `.pg` texts.

use std::collections::{HashMap, HashSet};

use ludex_core::hex;
use sha2::{Digest as _, Sha256};

use super::lines::{End, Kind, LineGame, Turns};

const SECTIONS: [&str; 9] = [
    "#version",
    "#times",
    "#blackturns",
    "#positions",
    "#blackwins",
    "#whitewins",
    "#blackinitials",
    "#whiteinitials",
    "#firstmoves",
];

/// The words of each line of a section.
type Section<'a> = Vec<Vec<&'a str>>;

/// The game of a text that has the digest which the spec names.
pub(super) fn positional(rest: &str, text: &str) -> Option<LineGame> {
    let digest = rest.strip_prefix("sha256=")?;
    let is = |text: &str| hex(&Sha256::digest(text.as_bytes())) == digest;
    (is(text) || is(text.strip_suffix('\n')?)).then_some(())?;
    let mut sections: HashMap<&str, Section<'_>> = HashMap::new();
    let mut current = None;
    for line in text.split('\n') {
        let mut words: Vec<&str> =
            line.split('%').next()?.split([' ', '\t', '\r']).filter(|w| !w.is_empty()).collect();
        if words.first().is_some_and(|word| word.starts_with('#')) {
            let name = SECTIONS.iter().find(|name| **name == words[0])?;
            if sections.insert(name, Vec::new()).is_some() {
                return None;
            }
            words.remove(0);
            current = Some(*name);
        }
        if !words.is_empty() {
            sections.get_mut(current?)?.push(words);
        }
    }
    let words =
        |name: &str| -> Vec<&str> { sections.get(name).into_iter().flatten().flatten().copied().collect() };
    let numbers = |names: &[&str]| -> Option<HashMap<String, usize>> {
        let numbers: HashMap<String, usize> =
            names.iter().enumerate().map(|(i, n)| ((*n).to_owned(), i)).collect();
        (numbers.len() == names.len()).then_some(numbers)
    };
    let needed = ["#times", "#blackturns", "#positions", "#blackwins"];
    needed.iter().all(|name| sections.contains_key(name)).then_some(())?;
    let (times, names) = (words("#times"), words("#positions"));
    let (plies, cells) = (numbers(&times)?, numbers(&names)?);
    (1..=1000).contains(&names.len()).then_some(())?;
    let all = |names: Vec<&str>, known: &HashMap<String, usize>| -> Option<Vec<usize>> {
        names.into_iter().map(|name| known.get(name).copied()).collect()
    };
    let once = |list: &[usize]| list.iter().collect::<HashSet<_>>().len() == list.len();
    let turns = all(words("#blackturns"), &plies)?;
    let sets = |name: &str| -> Option<Vec<Vec<usize>>> {
        sections.get(name).into_iter().flatten().map(|line| all(line.clone(), &cells)).collect()
    };
    let lines = [sets("#blackwins")?, sets("#whitewins")?];
    lines.iter().flatten().all(|set| once(set)).then_some(())?;
    let stones = all([words("#blackinitials"), words("#whiteinitials")].concat(), &cells)?;
    let blacks = words("#blackinitials").len();
    let opening = all(words("#firstmoves"), &cells)?;
    let fits = once(&turns)
        && once(&stones)
        && !lines[0].is_empty()
        && opening.iter().all(|cell| !stones.contains(cell))
        && times.len() + stones.len() <= names.len();
    fits.then_some(())?;
    let first: Vec<bool> = (0..times.len()).map(|ply| turns.contains(&ply)).collect();
    let plain = opening.is_empty()
        && times.len() + stones.len() == names.len()
        && first.windows(2).all(|two| two[0] != two[1]);
    let turns = Turns {
        names: names.iter().map(|&name| name.to_owned()).collect(),
        initial: stones.iter().enumerate().map(|(i, &cell)| (cell, if i < blacks { 1 } else { 2 })).collect(),
        first,
        opening: (!opening.is_empty()).then_some(opening),
        plain,
    };
    let end = if lines[1].is_empty() { End::Weak } else { End::Strong };
    Some(LineGame::new(Kind::Positional(turns), (names.len(), 1), end, lines, Vec::new()))
}
