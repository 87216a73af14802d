//! The rules that settle a position without more moves. Each is stated and proved in the book's page on certificates.
//!
//! They are functions of a position and its hints: nothing is searched for, and nothing is remembered.

use std::collections::BTreeSet;

use ludex_core::Side;

use crate::{
    header::{ANY, Claim},
    rules::{
        Move, Position, Rule, Rules as _,
        lines::{EMPTY, End, Kind, LineGame, stone},
    },
};

/// What a rule answers: `None` if it does not apply.
pub(crate) type Applies = Option<()>;

/// Whether a rule may be used in a game.
pub(crate) fn belongs(rule: Rule, game: Option<&LineGame>, here: bool) -> bool {
    let Some(game) = game else { return rule == Rule::Play && !here };
    let plain = match &game.kind {
        Kind::Positional(turns) => turns.plain,
        kind => *kind != Kind::Connect4,
    };
    let (connect4, strong) = (game.kind == Kind::Connect4, game.end == End::Strong);
    match rule {
        Rule::Play => !here,
        Rule::Dead => strong,
        Rule::Stop => plain && game.end != End::Misere,
        Rule::Guard => !here && plain && game.end != End::Misere,
        Rule::Threats => here && plain && (game.end == End::Weak || strong && game.kind == Kind::Mnk),
        Rule::Zone => !here && plain && (game.end == End::Weak || strong && game.kind == Kind::Mnk),
        Rule::Steal => here && strong && game.kind == Kind::Mnk,
        Rule::Follow | Rule::Even => !here && connect4,
        Rule::Odd(column) => !here && connect4 && (1..=game.width).contains(&(column as usize)),
        Rule::Promised(row) => !here && connect4 && (1..=game.height).contains(&(row as usize)),
    }
}

/// No line is open for the opponent.
pub(crate) fn dead(game: &LineGame, claim: &Claim, p: &Position) -> Applies {
    let none = game.open(&p.cells, claim.side.other()).next().is_none();
    (!claim.win && none).then_some(())
}

/// First draws the strong game on an empty board, at least.
pub(crate) fn steal(claim: &Claim, p: &Position) -> Applies {
    let start = p.cells.iter().all(|&cell| cell == EMPTY) && p.side == Side::First;
    (start && claim.side == Side::First && !claim.win).then_some(())
}

/// A set of cells, in as many words as it takes: 1 for boards of up to 64 cells, otherwise 16, which is enough for every game.
type Set<const N: usize> = [u64; N];

fn has<const N: usize>(set: &Set<N>, cell: usize) -> bool {
    set[cell / 64] >> (cell % 64) & 1 == 1
}

/// What is left of the opponent's open lines: their empty cells.
fn rests<const N: usize>(game: &LineGame, claim: &Claim, p: &Position) -> Vec<Set<N>> {
    let rest = |line: &Vec<usize>| {
        let mut rest = [0; N];
        let empty = line.iter().filter(|&&cell| p.cells[cell] == EMPTY);
        empty.for_each(|&cell| rest[cell / 64] |= 1 << (cell % 64));
        rest
    };
    game.open(&p.cells, claim.side.other()).map(rest).collect()
}

/// What pairs leave of the rests of lines when the opponent has taken one more cell: of the sets that contain no pair, the cells in
/// no pair, without sets that contain another. Each with its size.
fn unpaired<const N: usize>(
    rests: &[Set<N>],
    pairs: &[[usize; 2]],
    taken: Option<usize>,
) -> Vec<(u32, Set<N>)> {
    let mut gone = [0; N];
    let mut kept = rests.to_vec();
    taken.iter().for_each(|cell| gone[cell / 64] |= 1 << (cell % 64));
    for &[a, b] in pairs.iter().filter(|pair| taken.is_none_or(|cell| !pair.contains(&cell))) {
        kept.retain(|set| !(has(set, a) && has(set, b)));
        [a, b].into_iter().for_each(|cell| gone[cell / 64] |= 1 << (cell % 64));
    }
    let count = |set: Set<N>| (set.iter().map(|word| word.count_ones()).sum(), set);
    let mut sets: Vec<(u32, Set<N>)> =
        kept.iter().map(|set| count(std::array::from_fn(|i| set[i] & !gone[i]))).collect();
    sets.sort_unstable();
    let mut least: Vec<(u32, Set<N>)> = Vec::with_capacity(sets.len());
    for (size, set) in sets {
        if !least.iter().any(|(_, inner)| inner.iter().zip(&set).all(|(a, b)| a & !b == 0)) {
            least.push((size, set));
        }
    }
    least
}

/// Whether the sum of 2^−size is below 1, if sets with a certain cell count twice.
fn below_one<const N: usize>(sets: &[(u32, Set<N>)], doubled: Option<usize>) -> bool {
    let mut counts = vec![0u64; sets.iter().map(|(size, _)| *size as usize + 1).max().unwrap_or(1)];
    for (size, set) in sets {
        counts[*size as usize] += if doubled.is_some_and(|cell| has(set, cell)) { 2 } else { 1 };
    }
    // Whole units of the next size; what is left over is below one of them.
    let carried = counts.iter().skip(1).rev().fold(0, |carried, count| (count + carried) / 2);
    counts[0] + carried == 0
}

/// Whether pairs may be listed for a claim in a game, and are pairs of empty cells, all of them different.
fn lists(game: &LineGame, claim: &Claim, p: &Position, w: u32, pairs: &[[usize; 2]]) -> Applies {
    let wanted = if game.end == End::Weak { claim.side == Side::Second } else { !claim.win };
    let mut paired = BTreeSet::new();
    let mut fits = |&cell: &usize| p.cells.get(cell) == Some(&EMPTY) && paired.insert(cell);
    (wanted && w == ANY && pairs.iter().flatten().all(&mut fits)).then_some(())
}

/// Pairs, and the sum of Erdős and Selfridge over what they leave of the opponent's open lines.
pub(crate) fn stop(
    game: &LineGame,
    claim: &Claim,
    p: &Position,
    w: u32,
    here: bool,
    pairs: &[[usize; 2]],
) -> Applies {
    lists(game, claim, p, w, pairs)?;
    let stops = if p.cells.len() <= 64 { stops::<1> } else { stops::<16> };
    stops(game, claim, p, here, pairs).then_some(())
}

fn stops<const N: usize>(
    game: &LineGame,
    claim: &Claim,
    p: &Position,
    here: bool,
    pairs: &[[usize; 2]],
) -> bool {
    let sets = unpaired::<N>(&rests(game, claim, p), pairs, None);
    let mut cells = (0..p.cells.len()).filter(|&cell| p.cells[cell] == EMPTY);
    below_one(&sets, None) && (here || cells.all(|cell| below_one(&sets, Some(cell))))
}

/// The cells of the replies after which none of the lists of pairs stops the opponent's lines, with the claimant to move.
pub(crate) fn guard(
    game: &LineGame,
    claim: &Claim,
    p: &Position,
    w: u32,
    listed: &[Vec<[usize; 2]>],
) -> Option<BTreeSet<usize>> {
    listed.iter().try_for_each(|pairs| lists(game, claim, p, w, pairs))?;
    let unguarded = if p.cells.len() <= 64 { unguarded::<1> } else { unguarded::<16> };
    (!listed.is_empty()).then(|| unguarded(game, claim, p, listed))
}

fn unguarded<const N: usize>(
    game: &LineGame,
    claim: &Claim,
    p: &Position,
    listed: &[Vec<[usize; 2]>],
) -> BTreeSet<usize> {
    let rests: Vec<Set<N>> = rests(game, claim, p);
    let stops = |cell, pairs: &Vec<_>| below_one(&unpaired(&rests, pairs, Some(cell)), None);
    let empty = (0..p.cells.len()).filter(|&cell| p.cells[cell] == EMPTY);
    empty.filter(|&cell| !listed.iter().any(|pairs| stops(cell, pairs))).collect()
}

/// What a sequence of threats proves.
pub(crate) struct Threatened {
    /// How many moves of both sides it takes.
    pub(crate) moves: u32,
    /// Its cells.
    pub(crate) carrier: BTreeSet<usize>,
    /// Those of them that the opponent has to take.
    answers: BTreeSet<usize>,
}

/// A sequence of threats of the claimant, who is to move.
pub(crate) fn threats(
    game: &LineGame,
    claim: &Claim,
    board: &[u8],
    sequence: &[usize],
) -> Option<Threatened> {
    let (own, other) = (claim.side, claim.side.other());
    (game.end == End::Strong || own == Side::First).then_some(())?;
    let (mut cells, mut carrier, mut answers) = (board.to_vec(), BTreeSet::new(), BTreeSet::new());
    let moves = u32::try_from(sequence.len()).ok()?.checked_mul(2)?;
    for (i, &s) in sequence.iter().enumerate() {
        let last = i + 1 == sequence.len();
        (cells.get(s) == Some(&EMPTY)).then_some(())?;
        let wins = game.completes(&cells, s, own);
        cells[s] = stone(own);
        carrier.insert(s);
        if wins {
            return last.then_some(Threatened { moves: moves - 1, carrier, answers });
        }
        let empty = |cell: &usize| cells[*cell] == EMPTY;
        if (0..cells.len()).filter(empty).any(|cell| game.completes(&cells, cell, other)) {
            return None;
        }
        let open: Vec<usize> =
            (0..cells.len()).filter(empty).filter(|&cell| game.completes(&cells, cell, own)).collect();
        match open.as_slice() {
            [first, second, ..] if last => {
                carrier.extend([*first, *second]);
                return Some(Threatened { moves: moves + 1, carrier, answers });
            }
            [only] if !last => {
                carrier.insert(*only);
                answers.insert(*only);
                cells[*only] = stone(other);
            }
            _ => return None,
        }
    }
    None
}

/// The move of the claimant after which a rule of Connect Four settles the position, the first one, and the rule.
pub(crate) fn leaf(
    game: &LineGame,
    rules: &[Rule],
    claim: &Claim,
    p: &Position,
    moves: &[Move],
    w: u32,
) -> Option<(Move, Rule)> {
    let limit = if w == ANY { ANY } else { w.checked_sub(1).filter(|&limit| limit > 0)? };
    moves.iter().find_map(|&m| {
        if game.ends(p, m).is_some() {
            return None;
        }
        let q = game.play(p, m);
        let following = Following::new(game, claim, &q);
        let applies = |rule: &&Rule| match rule {
            Rule::Play => false,
            Rule::Dead => dead(game, claim, &q).is_some(),
            rule => following.settles(**rule, limit).is_some(),
        };
        Some((m, *rules.iter().find(applies)?))
    })
}

/// The cells in which a reply has to be answered although the claimant threatens to win by each of the sequences.
pub(crate) fn zone(
    game: &LineGame,
    claim: &Claim,
    p: &Position,
    w: u32,
    sequences: &[Vec<usize>],
) -> Option<BTreeSet<usize>> {
    let mut all: Option<BTreeSet<usize>> = None;
    for sequence in sequences {
        let Threatened { moves, carrier: mut zone, answers } = threats(game, claim, &p.cells, sequence)?;
        (moves <= w).then_some(())?;
        if game.end == End::Strong {
            // Lines of the opponent that his reply and the answers could bring near completion.
            for line in game.open(&p.cells, claim.side.other()) {
                let lacks = |cell: &&usize| p.cells[**cell] == EMPTY && !answers.contains(cell);
                if line.iter().filter(lacks).count() <= 2 {
                    zone.extend(line.iter().filter(lacks));
                }
            }
        }
        all = Some(all.map_or(zone.clone(), |all| &all & &zone));
    }
    all
}

/// The rules of Connect Four: the claimant follows, the opponent is to move.
pub(crate) fn follow(game: &LineGame, rule: Rule, claim: &Claim, p: &Position, w: u32) -> Applies {
    Following::new(game, claim, p).settles(rule, w)
}

/// A position of Connect Four with the opponent to move: what all rules look at.
struct Following<'a> {
    game: &'a LineGame,
    claim: &'a Claim,
    p: &'a Position,
    free: usize,
    /// The row of each column's landing cell; one above the board if it is full.
    landing: Vec<usize>,
    /// The row of each column's lowest threat in an upper row, and in a lower row.
    upper: Vec<Option<usize>>,
    lower: Vec<Option<usize>>,
}

impl<'a> Following<'a> {
    fn new(game: &'a LineGame, claim: &'a Claim, p: &'a Position) -> Self {
        let (width, height) = (game.width, game.height);
        let free = p.cells.iter().filter(|&&cell| cell == EMPTY).count();
        let landing: Vec<usize> = (0..width)
            .map(|x| game.landing(&p.cells, x).map_or(height + 1, |cell| cell / width + 1))
            .collect();
        let lowest = |upper: bool| {
            let lowest = |x: usize| {
                let threat = |row: usize| game.completes(&p.cells, (row - 1) * width + x, claim.side);
                (landing[x] + 1..=height).find(|&row| (row % 2 == height % 2) == upper && threat(row))
            };
            (0..width).map(lowest).collect()
        };
        let (upper, lower) = (lowest(true), lowest(false));
        Self { game, claim, p, free, landing, upper, lower }
    }

    /// Whether a rule applies.
    fn settles(&self, rule: Rule, w: u32) -> Applies {
        let Self { game, p, landing, .. } = self;
        let (width, height) = (game.width, game.height);
        let (leader, follower) = (p.side, self.claim.side);
        (rule != Rule::Follow || !self.claim.win).then_some(())?;
        let mut cuts = self.upper.clone();
        if let Rule::Odd(column) = rule {
            let x = column as usize - 1;
            let row = self.lower[x]?;
            cuts[x].is_none_or(|upper| upper > row).then_some(())?;
            cuts[x] = Some(row);
        }
        (rule != Rule::Even || cuts.iter().any(Option::is_some)).then_some(())?;
        let top = |x: usize| cuts[x].map_or(height, |row| row - 2);
        let in_play: usize = (0..width).map(|x| (top(x) + 1).saturating_sub(landing[x])).sum();
        in_play.is_multiple_of(2).then_some(())?;
        let (mut reach, mut singles, mut promised) = (vec![false; p.cells.len()], Vec::new(), Vec::new());
        for x in 0..width {
            for row in 1..=height {
                let cell = (row - 1) * width + x;
                let high = row <= top(x) && (top(x) - row).is_multiple_of(2);
                reach[cell] = if p.cells[cell] != EMPTY {
                    p.cells[cell] == stone(leader)
                } else if high && row == landing[x] {
                    singles.push(cell);
                    true
                } else if high {
                    promised.push(cell);
                    false
                } else {
                    cuts[x].is_none_or(|cut| row < cut)
                };
            }
        }
        let lines = &game.lines[leader.index()];
        let four = |has: &dyn Fn(usize) -> bool| lines.iter().any(|line| line.iter().all(|&cell| has(cell)));
        if four(&|cell| reach[cell]) {
            let [a, b] = singles[..] else { return None };
            let without = |single: usize| four(&|cell| reach[cell] && cell != single);
            (!matches!(rule, Rule::Promised(_)) && !without(a) && !without(b)).then_some(())?;
        }
        let left = match rule {
            Rule::Follow => return Some(()),
            Rule::Promised(row) => {
                let row = row as usize;
                let good = |cell: usize| promised.contains(&cell) && cell / width < row;
                let own = |cell: usize| p.cells[cell] == stone(follower) || good(cell);
                let built = |line: &Vec<usize>| {
                    line.iter().all(|&cell| own(cell)) && line.iter().any(|&cell| good(cell))
                };
                lines.iter().any(built).then_some(())?;
                height - row
            }
            _ => cuts.iter().flatten().map(|row| height - row + 2).sum::<usize>() - 2,
        };
        (self.free.saturating_sub(left) as u64 <= u64::from(w)).then_some(())
    }
}
