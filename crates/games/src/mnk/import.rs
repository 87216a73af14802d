//! Gomoku in SGF: two letters for a cell, the column and the row from the top.

use ludex_core::{Error, ErrorCode, Import, column_name};

use crate::sgf;

/// The game that a text holds, if it is one of gomoku.
pub(super) fn import(text: &str) -> Option<Result<Import, Error>> {
    let game = sgf::read(text).filter(|game| game.kind == "4")?;
    let (columns, rows) = game.size;
    let cell = |text: &String| {
        let bad = || {
            let message = format!("'{text}' is no cell of a board of {columns}x{rows}");
            Error::new(ErrorCode::BadRecord, message, "two letters, the column and the row from the top: hh")
        };
        let [x, y] = text.as_bytes() else { return Err(bad()) };
        let at = |letter: &u8| letter.checked_sub(b'a').map(usize::from);
        let (x, y) = at(x).zip(at(y)).filter(|&(x, y)| x < columns && y < rows).ok_or_else(bad)?;
        Ok(format!("{}{}", column_name(x), rows - y))
    };
    let moves = game.moves.iter().map(cell).collect::<Result<_, _>>();
    Some(moves.map(|moves| Import { spec: format!("mnk:{columns},{rows},5"), moves }))
}

#[cfg(test)]
mod tests {
    use super::import;

    #[test]
    fn rows_are_counted_from_the_top() {
        let game = import("(;GM[4]SZ[15];B[hh];W[ao])").expect("gomoku").expect("a game");
        assert_eq!((game.spec.as_str(), game.moves), ("mnk:15,15,5", vec!["h8".into(), "a1".into()]));
        assert!(import("(;GM[4]SZ[3];B[hh])").expect("gomoku").is_err());
    }
}
