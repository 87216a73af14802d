//! Rules that settle a position, found for a strategy: the hints that the checker will read.
//!
//! What a game knows comes as a [`Witness`]; the theorems of the checker say how far it may be used. Where a game says nothing, threats and
//! pairs are looked for on the naive board, which takes longer.

use std::collections::{BTreeSet, VecDeque};

use ludex_core::{Error, Side, Witness};

use crate::{
    header::Claim,
    rules::{
        LineGame, Position, Rule, Rules,
        lines::{EMPTY, End, stone},
    },
    theorems,
    writer::{one_less, unsound},
};

/// The rule of Connect Four that settles a position with the opponent to move, if one does.
#[must_use]
pub fn follow(game: &dyn Rules, claim: &Claim, p: &Position, w: u32) -> Option<Rule> {
    let lines = game.lines()?;
    let columns = (1..=lines.width as u32).map(Rule::Odd);
    let rows = (1..=lines.height as u32).map(Rule::Promised);
    let rules = [Rule::Even, Rule::Follow].into_iter().chain(columns).chain(rows);
    let applies = |rule: &Rule| theorems::follow(lines, *rule, claim, p, w).is_some();
    let dead = || theorems::dead(lines, claim, p).map(|()| Rule::Dead);
    rules.into_iter().find(applies).or_else(dead)
}

/// A rule, and the hints it reads.
pub type Reason = (Rule, Vec<u32>);

/// How many sequences of threats are looked at before a search for one gives up.
const SEQUENCES: usize = 400;

/// A rule that settles a position with the claimant to move, if one does. The witness is asked for only if it is needed.
pub fn here(
    game: &dyn Rules,
    claim: &Claim,
    p: &Position,
    w: u32,
    witness: impl FnOnce() -> Option<Witness<usize>>,
) -> Option<Reason> {
    let lines = game.lines()?;
    let may = |rule| theorems::belongs(rule, Some(lines), true);
    if may(Rule::Steal) && theorems::steal(claim, p).is_some() {
        return Some((Rule::Steal, Vec::new()));
    }
    if may(Rule::Dead) && theorems::dead(lines, claim, p).is_some() {
        return Some((Rule::Dead, Vec::new()));
    }
    if !may(Rule::Stop) && !may(Rule::Threats) {
        return None;
    }
    match witness()? {
        Witness::Pairs(chain) if may(Rule::Stop) => {
            let stops = |n: &usize| theorems::stop(lines, claim, p, w, true, &chain[..*n]).is_some();
            let enough = (0..=chain.len()).find(stops)?;
            Some((Rule::Stop, paired(&chain[..enough])))
        }
        Witness::Threats(rows) if may(Rule::Threats) => {
            let row = rows.iter().find_map(|row| played_out(lines, claim, p, w, row))?;
            Some((Rule::Threats, listed(&row)))
        }
        _ => None,
    }
}

/// A rule that settles a position with the opponent to move, or most of his replies.
pub fn after(
    game: &dyn Rules,
    claim: &Claim,
    p: &Position,
    w: u32,
    witness: impl FnOnce() -> Option<Witness<usize>>,
) -> Option<Reason> {
    let lines = game.lines()?;
    let may = |rule| theorems::belongs(rule, Some(lines), false);
    if may(Rule::Follow) {
        return follow(game, claim, p, w).map(|rule| (rule, Vec::new()));
    }
    if may(Rule::Dead) && theorems::dead(lines, claim, p).is_some() {
        return Some((Rule::Dead, Vec::new()));
    }
    if !may(Rule::Guard) && !may(Rule::Zone) {
        return None;
    }
    // With a line about to be complete only one reply is left to answer anyway.
    let mut empty = (0..p.cells.len()).filter(|&cell| p.cells[cell] == EMPTY);
    if empty.any(|cell| lines.completes(&p.cells, cell, claim.side)) {
        return None;
    }
    match witness()? {
        Witness::Pairs(chain) if may(Rule::Guard) => guarded(lines, claim, p, w, &chain),
        Witness::Threats(rows) if may(Rule::Zone) => {
            let rows: Vec<Vec<usize>> =
                rows.iter().filter_map(|row| played_out(lines, claim, p, one_less(w), row)).collect();
            let first = u32::try_from(rows.len()).ok().filter(|&n| n > 0)?;
            let hints = std::iter::once(first).chain(rows.iter().flat_map(|row| listed(row))).collect();
            Some((Rule::Zone, hints))
        }
        _ => None,
    }
}

/// As much of a row of threats as it takes to win.
fn played_out(lines: &LineGame, claim: &Claim, p: &Position, w: u32, row: &[usize]) -> Option<Vec<usize>> {
    let proves = |n: &usize| {
        theorems::threats(lines, claim, &p.cells, &row[..*n]).is_some_and(|proved| proved.moves <= w)
    };
    (1..=row.len()).find(proves).map(|n| row[..n].to_vec())
}

/// The first pairs of a chain that stop everything, or that leave the fewest replies to answer.
fn guarded(lines: &LineGame, claim: &Claim, p: &Position, w: u32, chain: &[[usize; 2]]) -> Option<Reason> {
    let empty = p.cells.iter().filter(|&&cell| cell == EMPTY).count();
    let stops = |n: &usize, here| theorems::stop(lines, claim, p, w, here, &chain[..*n]).is_some();
    let enough: Vec<usize> = (0..=chain.len()).filter(|n| stops(n, true)).collect();
    if let Some(&n) = enough.iter().find(|n| stops(n, false)) {
        return Some((Rule::Stop, paired(&chain[..n])));
    }
    // The fewest pairs disturb least, the most leave least to be disturbed.
    let mut best: Option<(usize, usize)> = None;
    for &n in enough.first().into_iter().chain(enough.get(1..).and_then(<[usize]>::last)) {
        let left = theorems::guard(lines, claim, p, w, &[chain[..n].to_vec()])?.len();
        if best.is_none_or(|(least, _)| left < least) {
            best = Some((left, n));
        }
    }
    let (_, n) = best.filter(|&(left, _)| left < empty)?;
    Some((Rule::Guard, std::iter::once(1).chain(paired(&chain[..n])).collect()))
}

/// The cells in which a reply has to be answered by a move, given a rule for a position with the opponent to move; `None` if
/// every reply has to be.
///
/// # Errors
/// If the hints are wrong.
pub fn narrowed(
    game: &dyn Rules,
    claim: &Claim,
    p: &Position,
    w: u32,
    reason: &Reason,
) -> Result<Option<BTreeSet<usize>>, Error> {
    let wrong = || unsound("a strategy is none", "the rule that found it is wrong");
    let mut hints = reason.1.iter().map(|&hint| hint as usize);
    let mut lists = |times: usize| -> Vec<Vec<usize>> {
        let count = hints.next().unwrap_or_default();
        let mut list = || {
            let length = times * hints.next().unwrap_or_default();
            hints.by_ref().take(length).collect()
        };
        (0..count).map(|_| list()).collect()
    };
    match reason.0 {
        Rule::Play => Ok(None),
        Rule::Zone => {
            let sequences = lists(1);
            let lines = game.lines().ok_or_else(wrong)?;
            theorems::zone(lines, claim, p, one_less(w), &sequences).map(Some).ok_or_else(wrong)
        }
        Rule::Guard => {
            let pairs = lists(2);
            let pairs: Vec<Vec<[usize; 2]>> = pairs
                .iter()
                .map(|list| list.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect())
                .collect();
            let lines = game.lines().ok_or_else(wrong)?;
            theorems::guard(lines, claim, p, w, &pairs).map(Some).ok_or_else(wrong)
        }
        _ => Ok(Some(BTreeSet::new())),
    }
}

/// Whether a claim is kept by stopping the opponent's lines, and not by completing one.
#[must_use]
pub fn by_pairs(game: &dyn Rules, claim: &Claim) -> bool {
    game.lines().is_some_and(|lines| match lines.end {
        End::Weak => claim.side == Side::Second,
        End::Strong => !claim.win,
        End::Misere => false,
    })
}

/// Threats or pairs, found on the naive board.
#[must_use]
pub fn search(game: &dyn Rules, claim: &Claim, p: &Position, w: u32) -> Option<Witness<usize>> {
    let lines = game.lines()?;
    if by_pairs(game, claim) {
        return Some(Witness::Pairs(pairs(lines, claim, p)));
    }
    if p.side == claim.side {
        return threats(lines, claim, &p.cells, w).map(|row| Witness::Threats(vec![row]));
    }
    zones(lines, claim, p, one_less(w)).map(Witness::Threats)
}

fn paired(pairs: &[[usize; 2]]) -> Vec<u32> {
    let cells = pairs.iter().flatten().map(|&cell| cell as u32);
    std::iter::once(pairs.len() as u32).chain(cells).collect()
}

fn listed(cells: &[usize]) -> Vec<u32> {
    std::iter::once(cells.len() as u32).chain(cells.iter().map(|&cell| cell as u32)).collect()
}

/// A chain of pairs: the most dangerous set gets the pair that leaves least, until one has fewer than two cells.
fn pairs(game: &LineGame, claim: &Claim, p: &Position) -> Vec<[usize; 2]> {
    let mut sets: Vec<Vec<usize>> = game
        .open(&p.cells, claim.side.other())
        .map(|line| line.iter().copied().filter(|&cell| p.cells[cell] == EMPTY).collect())
        .collect();
    let danger = |set: &Vec<usize>| (-(set.len() as f64)).exp2();
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    while let Some(smallest) = sets.iter().min_by_key(|set| set.len()).filter(|set| set.len() > 1).cloned() {
        let left = |a: usize, b: usize| -> f64 {
            let weigh = |set: &Vec<usize>| match (set.contains(&a), set.contains(&b)) {
                (true, true) => 0.0,
                (false, false) => danger(set),
                _ => 2.0 * danger(set),
            };
            sets.iter().map(weigh).sum()
        };
        let mut best = (f64::INFINITY, [smallest[0], smallest[1]]);
        for (i, &a) in smallest.iter().enumerate() {
            for &b in &smallest[i + 1..] {
                let left = left(a, b);
                if left < best.0 {
                    best = (left, [a, b]);
                }
            }
        }
        let [a, b] = best.1;
        pairs.push([a, b]);
        sets.retain(|set| !(set.contains(&a) && set.contains(&b)));
        sets.iter_mut().for_each(|set| set.retain(|&cell| cell != a && cell != b));
    }
    pairs
}

/// A sequence of threats that wins for the claimant, to move, the shortest first.
fn threats(game: &LineGame, claim: &Claim, board: &[u8], w: u32) -> Option<Vec<usize>> {
    let (own, other) = (claim.side, claim.side.other());
    let mut queue = VecDeque::from([(board.to_vec(), Vec::new())]);
    let mut seen = 0;
    while let Some((cells, sequence)) = queue.pop_front() {
        seen += 1;
        if seen > SEQUENCES {
            return None;
        }
        let longer = |s: usize| [sequence.as_slice(), &[s]].concat();
        let proves = |sequence: &Vec<usize>| {
            theorems::threats(game, claim, board, sequence).is_some_and(|proved| proved.moves <= w)
        };
        // What the claimant lacks of every open line that he can make a threat of.
        let mut next: Vec<(usize, usize)> = Vec::new();
        for line in game.open(&cells, own) {
            let lacking: Vec<usize> = line.iter().copied().filter(|&cell| cells[cell] == EMPTY).collect();
            match lacking[..] {
                [s] => return Some(longer(s)).filter(proves),
                [a, b] => next.extend([(a, b), (b, a)]),
                _ => {}
            }
        }
        next.sort_unstable();
        next.dedup();
        let double = next.windows(2).find(|two| two[0].0 == two[1].0 && proves(&longer(two[0].0)));
        if let Some(two) = double {
            return Some(longer(two[0].0));
        }
        for (s, t) in next {
            let mut cells = cells.clone();
            cells[s] = stone(own);
            let beaten = cells
                .iter()
                .enumerate()
                .any(|(cell, &held)| held == EMPTY && game.completes(&cells, cell, other));
            if !beaten {
                cells[t] = stone(other);
                queue.push_back((cells, longer(s)));
            }
        }
    }
    None
}

/// Sequences that the claimant would win by were he to move, chosen so that few replies lie in all of them.
fn zones(game: &LineGame, claim: &Claim, p: &Position, w: u32) -> Option<Vec<Vec<usize>>> {
    let mut sequences = vec![threats(game, claim, &p.cells, w)?];
    let mut zone = theorems::zone(game, claim, p, w, &sequences)?;
    for cell in zone.clone() {
        if !zone.contains(&cell) {
            continue;
        }
        let mut cells = p.cells.clone();
        cells[cell] = stone(claim.side.other());
        let Some(other) = threats(game, claim, &cells, w) else { continue };
        // Without the reply the sequence may win sooner.
        let Some(sequence) = played_out(game, claim, p, w, &other) else { continue };
        let narrower = theorems::zone(game, claim, p, w, std::slice::from_ref(&sequence))?;
        if !narrower.contains(&cell) {
            sequences.push(sequence);
            zone = &zone & &narrower;
        }
    }
    Some(sequences)
}
