//! The rules once more, naively: a grid of cards, and all paths by trying every step.

use ludex_core::{Outcome, Reference, Side};

/// The naive twin of [`Collapsi`](super::Collapsi).
#[derive(Clone, Copy, Debug)]
pub struct NaiveCollapsi {
    /// Whether start cards may be left by one to four steps.
    pub wild: bool,
}

/// The cards by row and column (`.` is collapsed), the pawns of X and O, and the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    cards: Vec<Vec<char>>,
    pawns: [(usize, usize); 2],
    side: Side,
}

impl Grid {
    fn size(&self) -> usize {
        self.cards.len()
    }

    fn mover(&self) -> (usize, usize) {
        self.pawns[self.side.index()]
    }

    fn other(&self) -> (usize, usize) {
        self.pawns[self.side.other().index()]
    }

    /// The ends of all paths that go on from the last cell of `path` for `steps` more steps.
    fn walk(&self, path: &mut Vec<(usize, usize)>, steps: usize, ends: &mut Vec<(usize, usize)>) {
        let (row, column) = path[path.len() - 1];
        if steps == 0 {
            if (row, column) != self.other() && !ends.contains(&(row, column)) {
                ends.push((row, column));
            }
            return;
        }
        let n = self.size();
        for next in [
            ((row + 1) % n, column),
            ((row + n - 1) % n, column),
            (row, (column + 1) % n),
            (row, (column + n - 1) % n),
        ] {
            if self.cards[next.0][next.1] != '.' && !path.contains(&next) {
                path.push(next);
                self.walk(path, steps - 1, ends);
                path.pop();
            }
        }
    }
}

impl NaiveCollapsi {
    fn ends(self, p: &Grid) -> Vec<(usize, usize)> {
        let (row, column) = p.mover();
        let steps: &[usize] = match p.cards[row][column] {
            'J' if self.wild => &[1, 2, 3, 4],
            'J' | 'A' => &[1],
            '2' => &[2],
            '3' => &[3],
            _ => &[4],
        };
        let mut ends = Vec::new();
        for &s in steps {
            p.walk(&mut vec![p.mover()], s, &mut ends);
        }
        ends
    }
}

fn name((row, column): (usize, usize)) -> String {
    format!("{}{}", ["a", "b", "c", "d"][column], row + 1)
}

impl Reference for NaiveCollapsi {
    type Position = Grid;

    fn read(&self, board: &str, side: Side) -> Grid {
        let mut pawns = [(9, 9); 2];
        let mut cards: Vec<Vec<char>> = Vec::new();
        for (row, text) in board.split('/').enumerate() {
            let mut line: Vec<char> = Vec::new();
            for sign in text.chars() {
                match sign {
                    'X' | 'O' => {
                        pawns[usize::from(sign == 'O')] = (row, line.len());
                        line.push('J');
                    }
                    'x' | 'o' => pawns[usize::from(sign == 'o')] = (row, line.len() - 1),
                    card => line.push(card),
                }
            }
            cards.push(line);
        }
        Grid { cards, pawns, side }
    }

    fn write(&self, p: &Grid) -> String {
        let at_start = p.pawns.iter().all(|&(row, column)| p.cards[row][column] == 'J');
        let deal = at_start && p.cards.iter().flatten().all(|&card| card != '.');
        let mut rows = Vec::new();
        for (row, cards) in p.cards.iter().enumerate() {
            let mut text = String::new();
            for (column, &card) in cards.iter().enumerate() {
                match p.pawns.iter().position(|&pawn| pawn == (row, column)) {
                    Some(i) if deal => text.push(['X', 'O'][i]),
                    Some(i) => text.extend([card, ['x', 'o'][i]]),
                    None => text.push(card),
                }
            }
            rows.push(text);
        }
        rows.join("/")
    }

    fn side(&self, p: &Grid) -> Side {
        p.side
    }

    fn outcome(&self, p: &Grid) -> Option<Outcome> {
        self.ends(p).is_empty().then_some(Outcome::Loss)
    }

    fn moves(&self, p: &Grid) -> Vec<String> {
        self.ends(p).into_iter().map(|end| format!("{}-{}", name(p.mover()), name(end))).collect()
    }

    fn play(&self, p: &Grid, m: &str) -> Grid {
        let mut next = p.clone();
        let (row, column) = p.mover();
        let end = self.ends(p).into_iter().find(|&end| m.ends_with(&name(end))).expect("a legal move");
        next.cards[row][column] = '.';
        next.pawns[p.side.index()] = end;
        next.side = p.side.other();
        next
    }
}
