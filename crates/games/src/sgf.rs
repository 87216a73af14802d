//! Moves out of SGF, the format in which many programs keep games: `(;GM[11]SZ[11];B[f6];W[e7])`.

/// What a game in SGF says of itself: its kind (`GM`), its size (`SZ`) and the values of `B` and `W` in their order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sgf {
    pub kind: String,
    pub size: (usize, usize),
    pub moves: Vec<String>,
}

/// Read the main line. Variations begin with `(` after the first one and are left out.
pub(crate) fn read(text: &str) -> Option<Sgf> {
    let inside = text.trim().strip_prefix("(;")?;
    let main = inside.split('(').next().unwrap_or_default();
    let mut sgf = Sgf { kind: String::new(), size: (0, 0), moves: Vec::new() };
    let mut rest = main;
    while let Some((before, after)) = rest.split_once('[') {
        let name = before.trim_start_matches(|c: char| !c.is_ascii_uppercase()).trim();
        let (value, after) = after.split_once(']')?;
        match name {
            "GM" => sgf.kind = value.into(),
            "SZ" => {
                let (columns, rows) = value.split_once(':').unwrap_or((value, value));
                sgf.size = (columns.trim().parse().ok()?, rows.trim().parse().ok()?);
            }
            "B" | "W" => sgf.moves.push(value.trim().to_lowercase()),
            _ => {}
        }
        rest = after;
    }
    Some(sgf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_line_is_read() {
        let sgf = read("(;FF[4]GM[11]SZ[5]PB[Ann]\n;B[c3];W[d2](;B[a1])(;B[b2]))").expect("a game");
        assert_eq!((sgf.kind.as_str(), sgf.size), ("11", (5, 5)));
        assert_eq!(sgf.moves, ["c3", "d2"]);
        assert_eq!(read("4453"), None);
    }
}
