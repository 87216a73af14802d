//! Reading boards.
//!
//! Rows from the top joined by `/`; cards `A` (or `1`), `2`, `3`, `4`, `J` a start card, `.` (or `0`) collapsed; a pawn
//! is written after its card, `x` or `o`, and a start card with its pawn is also `X` or `O`. In the other notation the
//! pawns are `r` (X) and `b` (O), start cards are written `1`, and a last field counts the moves made, as in
//! `1223/4121r/3123/1b314/0`.

use ludex_core::{Error, Side};

use super::{
    Position,
    board::Board,
    position::{COLLAPSED, JOKER},
};

const HINT: &str = "rows joined by '/', cards A 2 3 4, '.' collapsed, J a start card, a pawn x or o after its card, \
                    X and O start cards with their pawns: A242/2333/34X2/OAAA, or 1223/4121r/3123/1b314/0";

fn wrong(message: String) -> Error {
    Error::position(message, HINT)
}

/// How many rows of cards a board has, without a last field that counts moves.
pub(super) fn rows(text: &str) -> usize {
    let fields: Vec<&str> = text.split('/').collect();
    fields.len() - usize::from(counted(&fields))
}

/// Whether the last field is a number of moves: it is the fifth, or it has no cards for a row.
fn counted(fields: &[&str]) -> bool {
    let Some((last, above)) = fields.split_last() else { return false };
    let number = !last.is_empty() && last.bytes().all(|b| b.is_ascii_digit());
    let cards = |row: &str| row.chars().filter(|c| !"xorb".contains(*c)).count();
    number && (above.len() == 4 || above.len() == 3 && above.iter().all(|row| cards(row) == 3))
}

/// What has been read so far.
struct Reading {
    cards: Vec<u8>,
    pawns: [Option<usize>; 2],
    /// Whether pawns were written `r` and `b`.
    coloured: bool,
}

impl Reading {
    fn place(&mut self, side: Side, cell: usize, board: &Board) -> Result<(), Error> {
        let name = ["X", "O"][side.index()];
        let here = board.cell_name(cell);
        if let Some(before) = self.pawns[side.index()] {
            return Err(wrong(format!("{name} stands on {} and on {here}", board.cell_name(before))));
        }
        if self.pawns[side.other().index()] == Some(cell) {
            return Err(wrong(format!("both pawns stand on {here}")));
        }
        if self.cards[cell] == COLLAPSED {
            return Err(wrong(format!("{name} stands on {here}, which has collapsed")));
        }
        self.pawns[side.index()] = Some(cell);
        Ok(())
    }

    fn row(&mut self, text: &str, row: usize, board: &Board) -> Result<(), Error> {
        let (first, width) = (row * board.width, board.width);
        for sign in text.chars() {
            let (card, pawn) = match sign {
                '.' | '0' => (Some(COLLAPSED), None),
                'A' | 'a' | '1' => (Some(1), None),
                '2'..='4' => (Some(sign as u8 - b'0'), None),
                'J' | 'j' => (Some(JOKER), None),
                'X' => (Some(JOKER), Some(Side::First)),
                'O' => (Some(JOKER), Some(Side::Second)),
                'x' | 'r' => (None, Some(Side::First)),
                'o' | 'b' => (None, Some(Side::Second)),
                _ => return Err(wrong(format!("'{sign}' in row {} is no card and no pawn", row + 1))),
            };
            self.coloured |= "rb".contains(sign);
            self.cards.extend(card);
            if self.cards.len() > first + width {
                return Err(wrong(format!("row {} has more than {width} cards: '{text}'", row + 1)));
            }
            if let Some(side) = pawn {
                if self.cards.len() == first {
                    return Err(wrong(format!(
                        "row {} begins with the pawn '{sign}' and not with a card",
                        row + 1
                    )));
                }
                self.place(side, self.cards.len() - 1, board)?;
            }
        }
        if self.cards.len() < first + width {
            let has = self.cards.len() - first;
            return Err(wrong(format!("row {} has {has} cards instead of {width}: '{text}'", row + 1)));
        }
        Ok(())
    }
}

/// Read a board. Without a side it is X's turn if an even number of cells has collapsed.
pub(super) fn read(text: &str, side: Option<Side>, board: &Board) -> Result<Position, Error> {
    let mut fields: Vec<&str> = text.trim().split('/').collect();
    let made = if counted(&fields) { fields.pop() } else { None };
    if fields.len() != board.width {
        return Err(wrong(format!("the board has {} rows instead of {}", fields.len(), board.width)));
    }
    let mut reading = Reading { cards: Vec::new(), pawns: [None; 2], coloured: false };
    for (row, text) in fields.iter().enumerate() {
        reading.row(text, row, board)?;
    }
    let [Some(x), Some(o)] = reading.pawns else {
        let missing = if reading.pawns[0].is_none() { "X" } else { "O" };
        return Err(wrong(format!("the pawn {missing} is missing")));
    };
    let collapsed = reading.cards.iter().filter(|&&c| c == COLLAPSED).count();
    if let Some(made) = made
        && made.parse() != Ok(collapsed)
    {
        return Err(wrong(format!(
            "the last field says {made} moves were made, but {collapsed} cards have collapsed"
        )));
    }
    if reading.coloured || made.is_some() {
        // Start cards are written as ones there: X leaves his with the first move, O with the second.
        for (pawn, leaves_with) in [(x, 1), (o, 2)] {
            if reading.cards[pawn] == 1 && collapsed < leaves_with {
                reading.cards[pawn] = JOKER;
            }
        }
    }
    let implied = if collapsed % 2 == 0 { Side::First } else { Side::Second };
    Ok(Position::new(&reading.cards, [x, o], side.unwrap_or(implied)))
}
