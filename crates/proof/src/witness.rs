//! Rules that settle a position, found for a strategy: the hints that the checker will read.

use std::collections::{BTreeSet, VecDeque};

use ludex_core::{Error, Side};

use crate::{
    header::Claim,
    rules::{
        LineGame, Position, Rule, Rules,
        lines::{EMPTY, stone},
    },
    theorems,
    writer::unsound,
};

/// The cells in which a reply has to be answered by a move, given the hints of `zone`.
pub(crate) fn zone(
    game: &dyn Rules,
    claim: &Claim,
    p: &Position,
    hints: &[u32],
) -> Result<BTreeSet<usize>, Error> {
    let wrong = || unsound("a threat sequence is none", "the rule that found it is wrong");
    let lines = game.lines().ok_or_else(wrong)?;
    let mut hints = hints.iter().map(|&hint| hint as usize);
    let mut zone: Option<BTreeSet<usize>> = None;
    for _ in 0..hints.next().unwrap_or_default() {
        let length = hints.next().unwrap_or_default();
        let sequence: Vec<usize> = hints.by_ref().take(length).collect();
        let (_, carrier) = theorems::threats(lines, claim, &p.cells, &sequence).ok_or_else(wrong)?;
        zone = Some(zone.map_or(carrier.clone(), |zone| &zone & &carrier));
    }
    zone.ok_or_else(wrong)
}

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

/// A rule that settles a position with the claimant to move, if one is found.
#[must_use]
pub fn here(game: &dyn Rules, claim: &Claim, p: &Position, w: u32) -> Option<Reason> {
    let lines = game.lines()?;
    let may = |rule| theorems::belongs(rule, Some(lines), true);
    if may(Rule::Steal) && theorems::steal(claim, p).is_some() {
        return Some((Rule::Steal, Vec::new()));
    }
    if may(Rule::Dead) && theorems::dead(lines, claim, p).is_some() {
        return Some((Rule::Dead, Vec::new()));
    }
    if may(Rule::Stop)
        && let Some(pairs) = pairs(lines, claim, p, w, true)
    {
        return Some((Rule::Stop, pairs));
    }
    if may(Rule::Threats)
        && let Some(sequence) = threats(lines, claim, &p.cells, w)
    {
        return Some((Rule::Threats, listed(&sequence)));
    }
    None
}

/// A rule that settles a position with the opponent to move, or most of his replies.
#[must_use]
pub fn after(game: &dyn Rules, claim: &Claim, p: &Position, w: u32) -> Option<Reason> {
    let lines = game.lines()?;
    let may = |rule| theorems::belongs(rule, Some(lines), false);
    if may(Rule::Follow) {
        return follow(game, claim, p, w).map(|rule| (rule, Vec::new()));
    }
    if may(Rule::Dead) && theorems::dead(lines, claim, p).is_some() {
        return Some((Rule::Dead, Vec::new()));
    }
    if may(Rule::Stop)
        && let Some(pairs) = pairs(lines, claim, p, w, false)
    {
        return Some((Rule::Stop, pairs));
    }
    if may(Rule::Zone) && claim.side == Side::First { zones(lines, claim, p, w) } else { None }
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
    reason: &Reason,
) -> Result<Option<BTreeSet<usize>>, Error> {
    match reason.0 {
        Rule::Play => Ok(None),
        Rule::Zone => zone(game, claim, p, &reason.1).map(Some),
        _ => Ok(Some(BTreeSet::new())),
    }
}

fn listed(cells: &[usize]) -> Vec<u32> {
    std::iter::once(cells.len() as u32).chain(cells.iter().map(|&cell| cell as u32)).collect()
}

/// Pairs with which the rule `stop` applies, as its hints: the most dangerous set gets the pair that leaves least.
fn pairs(game: &LineGame, claim: &Claim, p: &Position, w: u32, here: bool) -> Option<Vec<u32>> {
    let applies = |pairs: &[[usize; 2]]| theorems::stop(game, claim, p, w, here, pairs).is_some();
    let mut sets: Vec<Vec<usize>> = game
        .open(&p.cells, claim.side.other())
        .map(|line| line.iter().copied().filter(|&cell| p.cells[cell] == EMPTY).collect())
        .collect();
    let danger = |set: &Vec<usize>| (-(set.len() as f64)).exp2();
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    loop {
        let total: f64 = sets.iter().map(danger).sum();
        if total < 1.0 && applies(&pairs) {
            let cells = pairs.iter().flatten().map(|&cell| cell as u32);
            return Some(std::iter::once(pairs.len() as u32).chain(cells).collect());
        }
        let smallest = sets.iter().min_by_key(|set| set.len())?.clone();
        if smallest.len() < 2 {
            return None;
        }
        let left = |a: usize, b: usize| -> f64 {
            let weigh = |set: &Vec<usize>| match (set.contains(&a), set.contains(&b)) {
                (true, true) => 0.0,
                (false, false) => danger(set),
                _ => 2.0 * danger(set),
            };
            sets.iter().map(weigh).sum()
        };
        let mut best: Option<(f64, [usize; 2])> = None;
        for (i, &a) in smallest.iter().enumerate() {
            for &b in &smallest[i + 1..] {
                let left = left(a, b);
                if best.is_none_or(|(least, _)| left < least) {
                    best = Some((left, [a, b]));
                }
            }
        }
        let (_, [a, b]) = best?;
        pairs.push([a, b]);
        sets.retain(|set| !(set.contains(&a) && set.contains(&b)));
        sets.iter_mut().for_each(|set| set.retain(|&cell| cell != a && cell != b));
    }
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
            theorems::threats(game, claim, board, sequence).is_some_and(|(moves, _)| moves <= w)
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
fn zones(game: &LineGame, claim: &Claim, p: &Position, w: u32) -> Option<Reason> {
    let limit = crate::writer::one_less(w);
    let first = threats(game, claim, &p.cells, limit)?;
    let (_, mut zone) = theorems::threats(game, claim, &p.cells, &first)?;
    let mut sequences = vec![first];
    for cell in zone.clone() {
        if !zone.contains(&cell) {
            continue;
        }
        let mut cells = p.cells.clone();
        cells[cell] = stone(claim.side.other());
        let Some(other) = threats(game, claim, &cells, limit) else { continue };
        // Without the reply the sequence may win sooner.
        let proved = (1..=other.len()).find_map(|n| {
            let (_, carrier) = theorems::threats(game, claim, &p.cells, &other[..n])?;
            Some((other[..n].to_vec(), carrier))
        });
        if let Some((sequence, carrier)) = proved.filter(|(_, carrier)| !carrier.contains(&cell)) {
            sequences.push(sequence);
            zone = &zone & &carrier;
        }
    }
    let mut hints = vec![sequences.len() as u32];
    sequences.iter().for_each(|sequence| hints.extend(listed(sequence)));
    Some((Rule::Zone, hints))
}
