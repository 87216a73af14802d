//! A game from outside in some fifty lines of rules and twenty of notation: Domineering, and what it gets for them.

use ludex_core::{Error, Game, Grid, Notation, Outcome, Scene, Side, conformance};

// From here to the next line of this kind is all that has to be written. ------------------------------------------

/// Players place dominoes, the first upright, the second lying; who cannot loses.
#[derive(Clone, Debug)]
struct Domineering {
    rows: usize,
    columns: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Board {
    taken: [u64; 2],
    side: Side,
}

/// Its upper or left cell, its lower or right cell.
type Domino = (usize, usize);

impl Game for Domineering {
    type Position = Board;
    type Move = Domino;
    type Key = [u64; 2];

    fn root(&self) -> Option<Board> {
        Some(Board { taken: [0; 2], side: Side::First })
    }
    fn side(&self, p: &Board) -> Side {
        p.side
    }
    fn outcome(&self, p: &Board) -> Option<Outcome> {
        self.dominoes(p).next().is_none().then_some(Outcome::Loss)
    }
    fn each_move(&self, p: &Board, f: impl FnMut(Domino)) {
        self.dominoes(p).for_each(f);
    }
    fn play(&self, p: &Board, (a, b): Domino) -> Board {
        let mut taken = p.taken;
        taken[p.side.index()] |= 1 << a | 1 << b;
        Board { taken, side: p.side.other() }
    }
    fn rank(&self, p: &Board) -> u32 {
        (p.taken[0] | p.taken[1]).count_ones()
    }
    fn max_plies(&self, p: &Board) -> u32 {
        ((self.rows * self.columns) as u32 - self.rank(p)) / 2
    }
    fn key(&self, p: &Board) -> [u64; 2] {
        [p.taken[0] | p.taken[1], p.side.index() as u64]
    }
}

impl Domineering {
    fn dominoes(&self, p: &Board) -> impl Iterator<Item = Domino> {
        let (size, columns, upright) = (self.rows * self.columns, self.columns, p.side == Side::First);
        let free = move |cell: usize, taken: u64| cell < size && taken >> cell & 1 == 0;
        let taken = p.taken[0] | p.taken[1];
        (0..size)
            .map(move |a| (a, if upright { a + columns } else { a + 1 }))
            .filter(move |&(a, b)| (upright || b % columns != 0) && free(a, taken) && free(b, taken))
    }
}

impl Notation for Domineering {
    fn spec(&self) -> String {
        format!("domineering:{}x{}", self.rows, self.columns)
    }
    fn title(&self) -> String {
        format!("Domineering {}x{}", self.rows, self.columns)
    }
    fn grid(&self, p: &Board) -> Option<Grid> {
        Some(Grid::of_masks(self.rows, self.columns, &[('x', p.taken[0]), ('o', p.taken[1])]))
    }
    fn read_grid(&self, grid: &Grid, side: Option<Side>) -> Result<Board, Error> {
        let turn = if grid.count('x') > grid.count('o') { Side::Second } else { Side::First };
        Ok(Board { taken: [grid.mask('x'), grid.mask('o')], side: side.unwrap_or(turn) })
    }
    fn touched(&self, (a, b): Domino) -> Vec<(usize, usize)> {
        [a, b].map(|cell| (cell / self.columns, cell % self.columns)).into()
    }
    fn sets_up_freely(&self) -> bool {
        true
    }
}

// -----------------------------------------------------------------------------------------------------------------

fn game() -> Domineering {
    Domineering { rows: 3, columns: 4 }
}

#[test]
fn it_has_texts_and_pictures() {
    let game = game();
    let p = game.parse_position("moves:a3-a2,c2-d2").expect("legal moves");
    assert_eq!(game.position_text(&p), "x.../x.oo/....");
    assert_eq!(game.picture(&p), "3 x . . .\n2 x . o o\n1 . . . .\n  a b c d\n");
    assert_eq!(game.parse_position("X.../X.OO/.... first"), Ok(p));
    assert_eq!(game.parse_position(""), Ok(game.root().expect("a start")));
    let error = game.parse_position("x.../x.o#/....").expect_err("a foreign sign");
    assert_eq!(error.message, "there is no '#' (on d2)");
}

#[test]
fn it_has_a_drawing() {
    let game = game();
    let p = game.parse_position("moves:a3-a2").expect("a legal move");
    let svg = game.svg(&p, &Scene { last: Some((0, 4)), ..Scene::default() });
    assert_eq!(svg.matches("class=\"last\"").count(), 2);
    assert_eq!(svg.matches("class=\"stone first\"").count(), 3, "two and the ghost of the next");
    assert_eq!(svg.matches("data-cell=").count(), 12);
    let layout = game.layout().expect("rows and columns");
    assert_eq!((layout.rows[0][0].as_str(), layout.symbols[1].what.as_str()), ("a3", "First"));
}

/// The kit takes the game as it is, and says what would make it better.
#[test]
fn it_passes_the_kit() {
    let passed = conformance::check_without_reference(&game());
    assert!(passed.played.positions > 100 && passed.whole.is_some_and(|n| n > 100), "{passed}");
    let text = passed.to_string();
    for missing in
        ["missing: a naive `Reference`", "missing: `why`", "missing: `side_names`", "missing: `key`"]
    {
        assert!(text.contains(missing), "{text}");
    }
    assert!(!text.contains("`layout`"), "{text}");
}
