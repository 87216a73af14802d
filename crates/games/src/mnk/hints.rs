//! What the game knows without search. Each rule has a switch; the theorems are proved in `hypergraph` and in the book.

use ludex_core::{Bounds, Game, Moves, Side, Value, Window, Witness, switches};

use super::{Board, Cell, Mnk, Rule, Stones};
use crate::hypergraph::{Turn, domination, forcing, pairing, potential, threats};

switches! {
    /// The rules that can be switched off.
    pub(super) SWITCHES:
    FORCED = "forced", "complete a line at once, stop one at once; in misère avoid one";
    PAIRING = "pairing", "stop lines by pairing their empty cells";
    ES = "es", "stop lines whose Erdős–Selfridge potential is small";
    AHEAD = "ahead", "look for a move that leaves only lines that the two rules above stop";
    THREATS = "threats", "win by a sequence of threats";
    ZONE = "zone", "against such a sequence only play where it can be disturbed";
    DOMINATION = "domination", "leave out cells when another one does all they do";
    pub(super) DEAD = "dead", "disregard cells that can be in no line any more";
    pub(super) SYMMETRY = "symmetry", "take mirrored and turned boards for one";
    STEALING = "stealing", "the second player of the strong game cannot win from the start";
    ORDER = "order", "try cells in many unfinished lines first, not just those near the middle";
}

/// Positions a search for threats may look at.
const THREAT_NODES: u32 = 400;
/// Changes of mind allowed in the choice of pairs.
const PAIR_TRIES: u32 = 8;
/// Moves that are tried for one that stops all lines.
const AHEAD_MOVES: usize = 8;
/// Up to this many stones a position is tested for symmetries of its own.
const FEW_STONES: u32 = 4;

impl<M: Board> Mnk<M> {
    pub(super) fn hints(&self, p: &Stones<M>, window: Window, moves: &mut Moves<Cell>) -> Bounds {
        moves.clear();
        if self.rule == Rule::Misere { self.avoid(p, moves) } else { self.contest(p, window, moves) }
    }

    /// Strong and weak: what each side lacks of its live lines tells nearly everything.
    fn contest(&self, p: &Stones<M>, window: Window, moves: &mut Moves<Cell>) -> Bounds {
        let sight = Sight::new(self, p);
        let mut bounds = Self::OPEN;
        let mut candidates = sight.empty;
        if self.on.on(FORCED) {
            if let Some(cell) = sight.my_wins.lowest() {
                moves.push(Cell(cell as u8));
                return Bounds::exact(Value::win(1));
            }
            match sight.their_wins.count() {
                0 => {}
                1 => candidates = sight.their_wins,
                _ => {
                    moves.push(Cell(sight.their_wins.lowest().unwrap_or(0) as u8));
                    return Bounds::exact(Value::loss(2));
                }
            }
        }
        if self.on.on(DEAD) && sight.mine_left.is_empty() && sight.theirs_left.is_empty() {
            self.each_move(p, |m| moves.push(m));
            return Bounds::exact(Value::DRAW);
        }
        if self.on.on(STEALING)
            && self.rule == Rule::Strong
            && sight.mine.is_empty()
            && sight.theirs.is_empty()
        {
            bounds.lo = Value::DRAW;
        }
        bounds = bounds.meet(self.stopped(&sight, window));
        if window.settled_by(bounds) {
            moves.push(Cell(candidates.lowest().unwrap_or(0) as u8));
            return bounds;
        }
        if self.on.on(THREATS)
            && sight.i_attack
            && (window.beta > Value::DRAW || !sight.they_attack)
            && let Some((first, plies)) = self.threat_win(&sight)
        {
            bounds = bounds.meet(Bounds::at_least(Value::win(plies)));
            if window.settled_by(bounds) {
                moves.push(Cell(first as u8));
                return bounds;
            }
        }
        let free = candidates == sight.empty;
        if self.on.on(DEAD) && free {
            candidates = sight.rests().fold(M::EMPTY, |live, rest| live | rest);
        }
        if self.on.on(DOMINATION) && free {
            candidates = candidates & domination::undominated(sight.empty, sight.rests());
        }
        if self.on.on(ZONE)
            && sight.they_attack
            && free
            && sight.their_wins.is_empty()
            && let Some((zone, elsewhere)) = self.zone(&sight, window, candidates)
        {
            candidates = zone;
            if candidates.is_empty() {
                bounds.hi = bounds.hi.min(elsewhere);
                moves.push(Cell(sight.empty.lowest().unwrap_or(0) as u8));
                return bounds;
            }
            moves.leave_out(elsewhere);
        }
        if self.on.on(SYMMETRY) && (sight.mine | sight.theirs).count() <= FEW_STONES {
            candidates = self.one_of_each_orbit(p, candidates);
        }
        self.order(&sight, window, candidates, moves);
        if let Some((cell, lo)) = self.stopping_move(&sight, window, moves) {
            bounds.lo = bounds.lo.max(lo);
            moves.clear();
            moves.push(cell);
        }
        bounds
    }

    /// Among the first moves one after which all lines of the opponent are stopped, if that settles the window, and what
    /// it is worth at least.
    fn stopping_move(&self, sight: &Sight<M>, window: Window, moves: &Moves<Cell>) -> Option<(Cell, Value)> {
        let (most, lo) = self.defence(sight, window)?;
        if !self.on.on(AHEAD) || moves.len() < 2 || !window.fails_high(lo) {
            return None;
        }
        // Lines that do not meet a cell contain only lines that do not: without the others they are minimal still.
        let within = completable(&sight.theirs_left, most);
        let mut left = Vec::with_capacity(within.len());
        let stops = |cell: &Cell| {
            left.clear();
            left.extend(within.iter().copied().filter(|rest| !rest.has(usize::from(cell.0))));
            potential::total(&left) < 2 * potential::WHOLE && self.stops(&left, Turn::Attacker, 0)
        };
        moves.iter().take(AHEAD_MOVES).find(stops).map(|cell| (cell, lo))
    }

    /// The mover's win by threats, if one is found: the first move and the number of plies.
    fn threat_win(&self, sight: &Sight<M>) -> Option<(usize, u32)> {
        if sight.theirs_left.is_empty() {
            let win = forcing::threat_win(&sight.mine_left, forcing::STATES, u32::MAX)?;
            return Some((win.first, 2 * win.moves - 1));
        }
        let win = threats::sequence(self.shape.lines(), sight.mine, sight.theirs, THREAT_NODES)?;
        Some((win.first, win.plies))
    }

    /// The candidates that may stop the opponent's wins by threats, and what the others are worth at most, if that is
    /// too little for the window.
    fn zone(&self, sight: &Sight<M>, window: Window, candidates: M) -> Option<(M, Value)> {
        if sight.mine_left.is_empty() {
            let (left, elsewhere) = match window.alpha.plies() {
                Some(plies) if window.alpha < Value::DRAW => (plies / 2, Value::loss(plies / 2 * 2)),
                _ => (u32::MAX, Value::SOME_LOSS),
            };
            let saves = forcing::must_play(&sight.theirs_left, candidates, forcing::STATES, left)?;
            return Some((saves, elsewhere));
        }
        let lines = self.shape.lines();
        let win = threats::sequence(lines, sight.theirs, sight.mine, THREAT_NODES)?;
        let elsewhere = Value::loss(win.plies + 1);
        let zone = threats::zone(lines, sight.mine, sight.theirs, &win);
        window.fails_low(elsewhere).then_some((candidates & zone, elsewhere))
    }

    /// Bounds from strategies that stop all lines of a side, or all that could be completed within the plies asked.
    fn stopped(&self, sight: &Sight<M>, window: Window) -> Bounds {
        let mut bounds = Bounds::ALL;
        let left = sight.empty.count();
        if sight.i_attack && (window.beta > Value::DRAW || self.rule == Rule::Weak) {
            let all = left.div_ceil(2);
            let (moves, hi) = match window.beta.plies() {
                Some(plies) if window.alpha >= Value::DRAW && plies > 0 && plies.div_ceil(2) < all => {
                    (plies.div_ceil(2), window.beta.worse())
                }
                _ if self.rule == Rule::Weak => (all, Value::SOME_LOSS),
                _ => (all, Value::DRAW),
            };
            if self.stops(&completable(&sight.mine_left, moves), Turn::Attacker, PAIR_TRIES) {
                bounds.hi = hi;
            }
        }
        if let Some((moves, lo)) = self.defence(sight, window)
            && self.stops(&completable(&sight.theirs_left, moves), Turn::Defender, PAIR_TRIES)
        {
            bounds.lo = lo;
        }
        bounds
    }

    /// If it may help the mover to stop the opponent's lines: how many moves those have at most, and what it is worth.
    fn defence(&self, sight: &Sight<M>, window: Window) -> Option<(u32, Value)> {
        if !sight.they_attack || window.alpha >= Value::DRAW && self.rule != Rule::Weak {
            return None;
        }
        let all = sight.empty.count() / 2;
        Some(match window.beta.plies() {
            Some(plies) if window.beta < Value::DRAW && plies > 0 && (plies - 1) / 2 < all => {
                ((plies - 1) / 2, window.beta)
            }
            _ if self.rule == Rule::Weak => (all, Value::SOME_WIN),
            _ => (all, Value::DRAW),
        })
    }

    /// Whether the defender stops all lines, given what the attacker lacks of each.
    fn stops(&self, rests: &[M], turn: Turn, tries: u32) -> bool {
        if rests.is_empty() {
            return true;
        }
        let (es, pairs) = (self.on.on(ES), self.on.on(PAIRING));
        es && potential::stops(rests, turn)
            || pairs && pairing::matched(rests, turn)
            || es && pairs && pairing::paired(rests, turn, tries)
    }

    /// Why a side wins, or does not lose: by threats on its own lines, or by pairs on the other's.
    pub(super) fn reason(&self, p: &Stones<M>, side: Side, win: bool) -> Option<Witness<Cell>> {
        let (own, other) = match side {
            Side::First => (p.first, p.second),
            Side::Second => (p.second, p.first),
        };
        let lines = self.shape.lines();
        let threats = match self.rule {
            Rule::Misere => return None,
            Rule::Weak => side == Side::First,
            Rule::Strong => win,
        };
        let witness = if !threats {
            Witness::Pairs(pairing::chain(&pairing::minimal(lines.live(other, own))))
        } else if self.rule == Rule::Weak {
            let rests: Vec<M> = lines.live(own, other).collect();
            Witness::Threats(if p.side() == side {
                forcing::threat_row(&rests, forcing::STATES, u32::MAX)
                    .into_iter()
                    .map(|(_, row)| row)
                    .collect()
            } else {
                forcing::rows_around(&rests, forcing::STATES, u32::MAX)
            })
        } else if p.side() == side {
            Witness::Threats(threats::row(lines, own, other, THREAT_NODES).into_iter().collect())
        } else {
            Witness::Threats(threats::rows_around(lines, own, other, THREAT_NODES))
        };
        let named = witness.map(|cell| Cell(cell as u8));
        if named == Witness::Threats(Vec::new()) { None } else { Some(named) }
    }

    /// Misère: the last thing to do is to complete a line, and without live lines nothing happens any more.
    fn avoid(&self, p: &Stones<M>, moves: &mut Moves<Cell>) -> Bounds {
        let sight = Sight::new(self, p);
        if self.on.on(DEAD) && sight.mine_left.is_empty() && sight.theirs_left.is_empty() {
            self.each_move(p, |m| moves.push(m));
            return Bounds::exact(Value::DRAW);
        }
        let mut candidates = sight.empty;
        if self.on.on(FORCED) {
            candidates = sight.empty.minus(sight.my_wins);
            if candidates.is_empty() {
                moves.push(Cell(sight.empty.lowest().unwrap_or(0) as u8));
                return Bounds::exact(Value::loss(1));
            }
        }
        if self.on.on(SYMMETRY) && (p.first | p.second).count() <= FEW_STONES {
            candidates = self.one_of_each_orbit(p, candidates);
        }
        for &cell in self.shape.spiral() {
            if candidates.has(usize::from(cell)) {
                moves.push(Cell(cell));
            }
        }
        Self::OPEN
    }

    /// Of cells that a symmetry of the position exchanges, the lowest.
    fn one_of_each_orbit(&self, p: &Stones<M>, candidates: M) -> M {
        let mut kept = candidates;
        for cell in candidates.cells() {
            let images = self.symmetry.triples(p.first, p.second, M::bit(cell));
            for (first, second, image) in images {
                let same = first == p.first && second == p.second;
                if same && kept.meets(image) && image.lowest() < Some(cell) {
                    kept = kept.minus(M::bit(cell));
                }
            }
        }
        kept
    }

    /// Cells in many unfinished lines first, weighted like the potential, and a little more for the side whose lines are
    /// in question; among equals those near the middle.
    fn order(&self, sight: &Sight<M>, window: Window, candidates: M, moves: &mut Moves<Cell>) {
        if !self.on.on(ORDER) {
            let spiral = self.shape.spiral().iter().filter(|&&cell| candidates.has(usize::from(cell)));
            spiral.for_each(|&cell| moves.push(Cell(cell)));
            return;
        }
        let mut score = vec![0i64; self.shape.cells()];
        let attack = window.beta > Value::DRAW;
        let (mine, theirs) = if attack { (4, 3) } else { (3, 4) };
        let weight = |rest: M| 1i64 << (self.shape.k as i64 - i64::from(rest.count())).clamp(0, 16);
        for (lefts, times) in [(&sight.mine_left, mine), (&sight.theirs_left, theirs)] {
            for &rest in lefts {
                (rest & candidates).cells().for_each(|cell| score[cell] += times * weight(rest));
            }
        }
        for cell in candidates.cells() {
            let score = score[cell].min(1 << 20) as i32;
            moves.push_scored(Cell(cell as u8), score << 8 | i32::from(self.shape.near(cell)));
        }
        moves.sort();
    }
}

/// Of the lines that can be completed with so many moves those that contain no other one.
fn completable<M: Board>(rests: &[M], moves: u32) -> Vec<M> {
    pairing::minimal(rests.iter().copied().filter(|rest| rest.count() <= moves))
}

/// What there is to see on a board, from the mover's side.
struct Sight<M> {
    mine: M,
    theirs: M,
    empty: M,
    /// Whether the side can win by a line.
    i_attack: bool,
    they_attack: bool,
    /// What each side lacks of its live lines.
    mine_left: Vec<M>,
    theirs_left: Vec<M>,
    /// Cells that complete a line at once; for Breaker, those that end the last of Maker's lines.
    my_wins: M,
    their_wins: M,
}

impl<M: Board> Sight<M> {
    fn new(game: &Mnk<M>, p: &Stones<M>) -> Self {
        let (mine, theirs) = p.sides();
        let strong = game.rule != Rule::Weak;
        let first = p.side() == Side::First;
        let (i_attack, they_attack) = (strong || first, strong || !first);
        let lines = game.shape.lines().all();
        // Room for every line at once: growing bit by bit took a twentieth of a search.
        let room = |attacks: bool| Vec::with_capacity(if attacks { lines.len() } else { 0 });
        let mut sight = Self {
            mine,
            theirs,
            empty: game.empty(p),
            i_attack,
            they_attack,
            mine_left: room(i_attack),
            theirs_left: room(they_attack),
            my_wins: M::EMPTY,
            their_wins: M::EMPTY,
        };
        for &line in lines {
            if i_attack && !line.meets(theirs) {
                let rest = line.minus(mine);
                sight.mine_left.push(rest);
                if rest.count() == 1 {
                    sight.my_wins = sight.my_wins | rest;
                }
            }
            if they_attack && !line.meets(mine) {
                let rest = line.minus(theirs);
                sight.theirs_left.push(rest);
                if rest.count() == 1 {
                    sight.their_wins = sight.their_wins | rest;
                }
            }
        }
        if !i_attack {
            sight.my_wins = sight.theirs_left.iter().fold(sight.empty, |common, &rest| common & rest);
        }
        sight
    }

    fn rests(&self) -> impl Iterator<Item = M> + '_ {
        self.mine_left.iter().chain(&self.theirs_left).copied()
    }
}
