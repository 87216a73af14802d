//! Games of Hex as others write them: links of HexWorld, and SGF. Both name the column first, and count rows from the top.

use ludex_core::{Error, ErrorCode, Import};

use crate::sgf;

/// The game that a text holds, if it is one of these.
pub(super) fn import(text: &str) -> Option<Result<Import, Error>> {
    let text = text.trim();
    if let Some((_, board)) = text.split_once("hexworld.org/board/#") {
        return Some(hexworld(board));
    }
    let game = sgf::read(text).filter(|game| game.kind == "11")?;
    Some(moves(game.size, game.moves.iter().map(String::as_str)))
}

/// `11c1,f6e7`: the size with options, then the moves without anything between them.
fn hexworld(board: &str) -> Result<Import, Error> {
    let (head, list) = board.split_once(',').unwrap_or((board, ""));
    let digits: String = head.chars().take_while(|c| c.is_ascii_digit() || *c == 'x').collect();
    let (columns, rows) = digits.split_once('x').unwrap_or((&digits, &digits));
    let size =
        columns.parse().ok().zip(rows.parse().ok()).ok_or_else(|| bad(format!("'{head}' names no size")))?;
    let mut cells = Vec::new();
    let mut rest = list;
    while let Some(first) = rest.chars().next() {
        let letters = rest.chars().take_while(char::is_ascii_alphabetic).count();
        let number = rest[letters..].chars().take_while(char::is_ascii_digit).count();
        if letters == 0 || number == 0 {
            return Err(bad(format!("'{first}' begins no move: a swap or a pass is not played here")));
        }
        cells.push(&rest[..letters + number]);
        rest = &rest[letters + number..];
    }
    moves(size, cells.into_iter())
}

fn moves<'a>((columns, rows): (usize, usize), cells: impl Iterator<Item = &'a str>) -> Result<Import, Error> {
    let cell = |text: &str| {
        let (letter, number) = text.split_at_checked(1)?;
        let column = letter.bytes().next().filter(u8::is_ascii_lowercase)? - b'a' + 1;
        let row = number.parse::<u8>().ok().filter(|row| (1..=26).contains(row))?;
        Some(format!("{}{column}", char::from(b'a' + row - 1)))
    };
    let moves = cells.map(|text| cell(text).ok_or_else(|| bad(format!("'{text}' is no cell"))));
    Ok(Import { spec: format!("hex:{rows}x{columns}"), moves: moves.collect::<Result<_, _>>()? })
}

fn bad(message: String) -> Error {
    Error::new(ErrorCode::BadRecord, message, "a game of plain stones, such as hexworld.org/board/#5c1,c3d2")
}

#[cfg(test)]
mod tests {
    use super::import;

    #[test]
    fn links_and_files_of_others_are_read() {
        for text in ["https://hexworld.org/board/#5c1,c2d1e5", "(;GM[11]SZ[5];B[c2];W[d1];B[e5])"] {
            let game = import(text).expect("one of ours").expect("a game");
            assert_eq!(
                (game.spec.as_str(), game.moves),
                ("hex:5x5", vec!["b3".into(), "a4".into(), "e5".into()])
            );
        }
        assert!(import("https://hexworld.org/board/#5c1,c2:s").expect("one of ours").is_err());
        assert!(import("(;GM[4]SZ[15];B[hh])").is_none() && import("c3 d2").is_none());
    }
}
