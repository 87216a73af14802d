//! The fast rules: two sets of cells and the side to move.

use ludex_core::{
    Bounds, Game, Key, Moves, Nature, Outcome, Side, Switch, Switches, Value, Window, switches,
};

use crate::{CellSet, rhombus::Rhombus};

/// Hex on a board that fits into `N` words.
#[derive(Clone, Debug)]
pub struct Hex<const N: usize> {
    /// The board.
    pub board: Rhombus<N>,
    on: Switches,
}

/// A board and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct HexPosition<const N: usize> {
    /// Black's and White's stones.
    pub stones: [CellSet<N>; 2],
    /// Who is to move.
    pub side: Side,
}

/// A move: the cell of the new stone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stone(pub u16);

/// The two sets one after the other, and a bit for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HexKey<const N: usize>([[u64; N]; 2]);

/// The words of a [`HexKey`].
#[derive(Clone, Copy, Debug)]
pub struct KeyWords<const N: usize>([[u64; N]; 2]);

impl<const N: usize> AsRef<[u64]> for KeyWords<N> {
    fn as_ref(&self) -> &[u64] {
        self.0.as_flattened()
    }
}

impl<const N: usize> Key for HexKey<N> {
    type Words = KeyWords<N>;
    const WORDS: usize = 2 * N;
    fn words(self) -> KeyWords<N> {
        KeyWords(self.0)
    }
}

switches! {
    /// The rules that can be switched off.
    SWITCHES:
    WIN_IN_ONE = "win-in-one", "see a stone that connects, and know that without one it takes three plies";
}

impl<const N: usize> Hex<N> {
    /// The game on a board of a size; `64·N` bits must hold one bit more than the board has cells.
    #[must_use]
    pub fn new(rows: usize, cols: usize) -> Self {
        assert!(rows * cols < 64 * N);
        Self { board: Rhombus::new(rows, cols), on: Switches::default() }
    }

    /// The empty cells.
    #[must_use]
    pub fn empty(&self, p: &HexPosition<N>) -> CellSet<N> {
        self.board.all().without(p.stones[0] | p.stones[1])
    }

    fn key_of(&self, stones: [CellSet<N>; 2], side: Side) -> HexKey<N> {
        let n = self.board.len();
        let mut words = CellSet::pair(stones[0], stones[1], n);
        words.as_flattened_mut()[2 * n / 64] |= (side.index() as u64) << (2 * n % 64);
        HexKey(words)
    }
}

impl<const N: usize> Game for Hex<N> {
    type Position = HexPosition<N>;
    type Move = Stone;
    type Key = HexKey<N>;

    const OPEN: Bounds = Bounds { lo: Value::loss(2), hi: Value::win(1) };

    fn root(&self) -> Option<HexPosition<N>> {
        Some(HexPosition { stones: [CellSet::EMPTY; 2], side: Side::First })
    }

    fn side(&self, p: &HexPosition<N>) -> Side {
        p.side
    }

    fn outcome(&self, p: &HexPosition<N>) -> Option<Outcome> {
        let (us, them) = (p.side, p.side.other());
        if self.board.connects(p.stones[them.index()], them) {
            Some(Outcome::Loss)
        } else {
            self.board.connects(p.stones[us.index()], us).then_some(Outcome::Win)
        }
    }

    fn each_move(&self, p: &HexPosition<N>, mut f: impl FnMut(Stone)) {
        for cell in self.empty(p).iter() {
            f(Stone(cell as u16));
        }
    }

    fn play(&self, p: &HexPosition<N>, m: Stone) -> HexPosition<N> {
        let mut next = *p;
        let own = &mut next.stones[p.side.index()];
        *own = *own | CellSet::one(usize::from(m.0));
        next.side = p.side.other();
        next
    }

    fn rank(&self, p: &HexPosition<N>) -> u32 {
        (p.stones[0] | p.stones[1]).len() as u32
    }

    fn max_plies(&self, p: &HexPosition<N>) -> u32 {
        self.empty(p).len() as u32
    }

    fn key(&self, p: &HexPosition<N>) -> HexKey<N> {
        let turned = p.stones.map(|s| self.board.turned(s));
        self.key_of(p.stones, p.side).min(self.key_of(turned, p.side))
    }

    fn key_bits(&self) -> u32 {
        2 * self.board.len() as u32 + 1
    }

    /// A cell that touches, or is, both what hangs on one edge and what hangs on the other wins in one ply; without
    /// one a win takes three.
    fn look(&self, p: &HexPosition<N>, _: Window, moves: &mut Moves<Stone>) -> Bounds {
        moves.clear();
        let mut bounds = Self::OPEN;
        if self.on.on(WIN_IN_ONE) {
            let own = p.stones[p.side.index()];
            let [from, to] =
                self.board.edges(p.side).map(|edge| edge | self.board.around(self.board.flood(edge, own)));
            if let Some(cell) = (from & to & self.empty(p)).iter().next() {
                moves.push(Stone(cell as u16));
                return Bounds::exact(Value::win(1));
            }
            bounds.hi = Value::win(3);
        }
        self.each_move(p, |m| moves.push(m));
        bounds
    }

    fn estimate(&self, p: &HexPosition<N>) -> i32 {
        self.guess(p)
    }

    /// Cells on the shortest ways of both sides first, those nearer to the middle before others.
    fn candidates(&self, p: &HexPosition<N>, most: usize, moves: &mut Moves<Stone>) -> Bounds {
        let bounds = self.look(p, Window::FULL, moves);
        let [us, them] = [p.side, p.side.other()].map(|side| self.ways(p, side).cells);
        for (score, m) in moves.scored_mut() {
            let cell = usize::from(m.0);
            let on = |ways: CellSet<N>| if ways.has(cell) { 1000 } else { 0 };
            *score = on(us) + on(them) - self.board.off_centre(cell) as i32;
        }
        moves.sort();
        moves.scored_mut().truncate(most.max(1));
        bounds
    }

    fn images(&self, p: &HexPosition<N>) -> Vec<HexPosition<N>> {
        vec![*p, HexPosition { stones: p.stones.map(|s| self.board.turned(s)), side: p.side }]
    }

    fn switches(&self) -> &'static [Switch] {
        SWITCHES
    }

    fn switched(&self) -> Switches {
        self.on
    }

    fn with_switches(mut self, on: Switches) -> Self {
        self.on = on;
        self
    }

    fn nature(&self) -> Nature {
        Nature { draws: false, ..Nature::default() }
    }
}
