//! Achievement games of polyominoes (Harary 1977): who first has a copy of a shape on the board, turned or mirrored as he
//! likes, wins. In the weak game only the first player wants one.

use std::{collections::BTreeSet, fmt, str::FromStr};

use ludex_core::{Error, ErrorCode, column_name};

use super::{MAX_CELLS, Sheet};

/// A cell as column and row, from 0.
type Place = (usize, usize);

/// A connected set of squares. It reads a name of [`SHAPES`] or a drawing: rows joined by `/`, `#` for a square.
///
/// ```
/// use ludex_games::positional::Polyomino;
///
/// let snaky: Polyomino = "snaky".parse().unwrap();
/// assert_eq!(snaky.to_string(), "####./...##");
/// assert_eq!(snaky.copies(8, 8).len(), 224);
/// assert_eq!("##/##".parse(), Ok::<Polyomino, _>("fatty".parse().unwrap()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Polyomino {
    /// Row by row, as close to the corner as they go.
    cells: Vec<Place>,
}

/// The shapes with names: Harary's for those that he found to be winners or losers of up to four squares, and for Snaky;
/// a letter and the number of squares for all of three to five.
pub const SHAPES: [(&[&str], &str); 22] = [
    (&["elam", "monomino"], "#"),
    (&["domino"], "##"),
    (&["tic", "i3"], "###"),
    (&["el", "v3"], "##/#."),
    (&["skinny", "i4"], "####"),
    (&["elly", "l4"], "###/#.."),
    (&["fatty", "o4"], "##/##"),
    (&["tippy", "z4"], "##./.##"),
    (&["knobby", "t4"], "###/.#."),
    (&["f5"], ".##/##./.#."),
    (&["i5"], "#####"),
    (&["l5"], "####/#..."),
    (&["n5"], "###./..##"),
    (&["p5"], "##/##/#."),
    (&["t5"], "###/.#./.#."),
    (&["u5"], "#.#/###"),
    (&["v5"], "#../#../###"),
    (&["w5"], "#../##./.##"),
    (&["x5"], ".#./###/.#."),
    (&["y5"], "####/.#.."),
    (&["z5"], "##./.#./.##"),
    (&["snaky"], "####./...##"),
];

/// What White may do besides preventing Black's copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Achievement {
    /// Nothing: White wins by preventing them.
    #[default]
    Weak,
    /// White wins with a copy of his own; it is a draw if nobody gets one.
    Strong,
}

impl Polyomino {
    /// How many squares it has.
    #[must_use]
    pub fn squares(&self) -> usize {
        self.cells.len()
    }

    /// Its rotations and reflections, each once.
    fn images(&self) -> BTreeSet<Vec<Place>> {
        let last = self.cells.iter().map(|&(x, y)| x.max(y)).max().unwrap_or(0);
        let turned = |turn: u32, (x, y): Place| {
            let (x, y) = if turn & 1 == 0 { (x, y) } else { (y, x) };
            let across = |at: usize, flip: bool| if flip { last - at } else { at };
            (across(x, turn & 2 != 0), across(y, turn & 4 != 0))
        };
        (0..8).map(|turn| cornered(self.cells.iter().map(|&cell| turned(turn, cell)).collect())).collect()
    }

    /// Its copies on a board of columns and rows, each as cells counted row by row.
    #[must_use]
    pub fn copies(&self, columns: usize, rows: usize) -> Vec<Vec<usize>> {
        let mut copies = Vec::new();
        for image in self.images() {
            let (width, height) = extent(&image);
            for (y, x) in
                (height..=rows).flat_map(|y| (width..=columns).map(move |x| (y - height, x - width)))
            {
                copies.push(image.iter().map(|(dx, dy)| (y + dy) * columns + x + dx).collect());
            }
        }
        copies.sort_unstable();
        copies
    }

    /// The game on a board, Black to begin. It ends when the board is full, or after so many moves of Black.
    ///
    /// # Errors
    /// If the board is too large, if no copy fits, or if Black has fewer moves than a copy has squares.
    pub fn sheet(
        &self,
        (columns, rows): Place,
        rule: Achievement,
        moves: Option<usize>,
    ) -> Result<Sheet, Error> {
        let cells = columns.saturating_mul(rows);
        if cells == 0 || cells > MAX_CELLS {
            return Err(fault(
                format!("a board of {columns}x{rows} is {}", if cells == 0 { "empty" } else { "too large" }),
                format!("a board has 1 to {MAX_CELLS} cells"),
            ));
        }
        let wins = self.copies(columns, rows);
        if wins.is_empty() {
            return Err(fault(format!("{self} does not fit on {columns}x{rows}"), "a larger board"));
        }
        let plies = match moves {
            Some(moves) if moves < self.squares() => {
                return Err(fault(
                    format!("{} squares cannot be taken in {moves} moves", self.squares()),
                    "at least as many moves as squares",
                ));
            }
            Some(moves) => moves.saturating_mul(2).saturating_sub(1).min(cells),
            None => cells,
        };
        Ok(Sheet {
            times: (1..=plies).map(|ply| format!("t{ply}")).collect(),
            black_turn: (0..plies).map(|ply| ply % 2 == 0).collect(),
            cells: (0..cells)
                .map(|cell| format!("{}{}", column_name(cell % columns), cell / columns + 1))
                .collect(),
            white_wins: if rule == Achievement::Strong { wins.clone() } else { Vec::new() },
            black_wins: wins,
            ..Sheet::default()
        })
    }
}

fn fault(message: String, hint: impl Into<String>) -> Error {
    Error::new(ErrorCode::BadArguments, message, hint)
}

/// The same cells against the left and upper edge, in order.
fn cornered(mut cells: Vec<Place>) -> Vec<Place> {
    let left = cells.iter().map(|&(x, _)| x).min().unwrap_or(0);
    let top = cells.iter().map(|&(_, y)| y).min().unwrap_or(0);
    cells.iter_mut().for_each(|cell| *cell = (cell.0 - left, cell.1 - top));
    cells.sort_unstable_by_key(|&(x, y)| (y, x));
    cells
}

/// Width and height.
fn extent(cells: &[Place]) -> Place {
    cells.iter().fold((0, 0), |(w, h), &(x, y)| (w.max(x + 1), h.max(y + 1)))
}

/// Whether one can walk over edges from any cell to any other.
fn is_connected(cells: &[Place]) -> bool {
    let mut seen = vec![false; cells.len()];
    let mut open: Vec<usize> = (0..cells.len().min(1)).collect();
    while let Some(i) = open.pop() {
        if std::mem::replace(&mut seen[i], true) {
            continue;
        }
        let near = |j: &usize| cells[i].0.abs_diff(cells[*j].0) + cells[i].1.abs_diff(cells[*j].1) == 1;
        open.extend((0..cells.len()).filter(near));
    }
    seen.iter().all(|seen| *seen)
}

impl fmt::Display for Polyomino {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (width, height) = extent(&self.cells);
        let row =
            |y| (0..width).map(|x| if self.cells.contains(&(x, y)) { '#' } else { '.' }).collect::<String>();
        f.write_str(&(0..height).map(row).collect::<Vec<_>>().join("/"))
    }
}

impl FromStr for Polyomino {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let named = SHAPES.iter().find(|(names, _)| names.iter().any(|name| name.eq_ignore_ascii_case(text)));
        let drawing = named.map_or(text, |(_, drawing)| drawing);
        let hint = || {
            let names: Vec<&str> = SHAPES.iter().map(|(names, _)| names[0]).collect();
            format!("a shape is one of {}, or a drawing such as '##./.##'", names.join(" "))
        };
        if !drawing.contains('#') || drawing.chars().any(|c| !"#./".contains(c)) {
            return Err(fault(format!("there is no shape '{text}'"), hint()));
        }
        let row = |(y, row): (usize, &str)| {
            row.chars().enumerate().filter(|(_, c)| *c == '#').map(|(x, _)| (x, y)).collect::<Vec<_>>()
        };
        let cells: Vec<Place> = drawing.split('/').enumerate().flat_map(row).collect();
        if cells.len() > MAX_CELLS || !is_connected(&cells) {
            return Err(fault(format!("the squares of '{text}' do not hang together"), hint()));
        }
        Ok(Self { cells: cornered(cells) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Polyomino {
        text.parse().expect("a shape")
    }

    /// All free polyominoes of up to five squares have a name, and no two names mean the same one.
    #[test]
    fn every_small_shape_has_a_name() {
        let mut free: BTreeSet<BTreeSet<Vec<Place>>> = BTreeSet::from([shape("#").images()]);
        let mut numbers = Vec::new();
        for _ in 1..=5 {
            numbers.push(free.len());
            for images in &free {
                assert_eq!(
                    SHAPES.iter().filter(|(_, drawing)| shape(drawing).images() == *images).count(),
                    1
                );
            }
            let mut larger = BTreeSet::new();
            for images in &free {
                let cells = images.first().expect("an image");
                for (x, y) in
                    cells.iter().flat_map(|&(x, y)| [(x, y + 1), (x + 2, y + 1), (x + 1, y), (x + 1, y + 2)])
                {
                    let mut more: Vec<Place> = cells.iter().map(|&(x, y)| (x + 1, y + 1)).collect();
                    if !more.contains(&(x, y)) {
                        more.push((x, y));
                        larger.insert(Polyomino { cells: cornered(more) }.images());
                    }
                }
            }
            free = larger;
        }
        assert_eq!(numbers, [1, 1, 2, 5, 12]);
        let names: Vec<&str> = SHAPES.iter().flat_map(|(names, _)| *names).copied().collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    /// Against all sets of so many cells, looked at one by one.
    #[test]
    fn copies_are_all_there_are() {
        for (name, drawing) in
            SHAPES.iter().map(|(names, drawing)| (names[0], drawing)).filter(|(_, d)| d.len() < 12)
        {
            let polyomino = shape(drawing);
            let images = polyomino.images();
            let (columns, rows) = (4, 3);
            let slow: Vec<Vec<usize>> = (0..1u32 << (columns * rows))
                .filter(|set| set.count_ones() as usize == polyomino.squares())
                .map(|set| (0..columns * rows).filter(|c| set >> c & 1 == 1).collect::<Vec<_>>())
                .filter(|set| {
                    images.contains(&cornered(set.iter().map(|c| (c % columns, c / columns)).collect()))
                })
                .collect();
            let fast: BTreeSet<Vec<usize>> = polyomino.copies(columns, rows).into_iter().collect();
            assert_eq!(fast, slow.into_iter().collect(), "{name}");
            assert_eq!(fast.len(), polyomino.copies(columns, rows).len(), "{name}: each once");
        }
    }

    #[test]
    fn drawings_come_back() {
        assert_eq!(shape("SNAKY"), shape(".../####./...##"));
        for (_, drawing) in SHAPES {
            assert_eq!(shape(drawing).to_string(), drawing);
        }
    }

    #[test]
    fn bad_shapes_and_boards() {
        for (text, part) in [
            ("snakey", "there is no shape 'snakey'"),
            ("", "there is no shape ''"),
            ("...", "there is no shape '...'"),
            ("#./.#", "do not hang together"),
            ("##x", "there is no shape '##x'"),
        ] {
            let error = text.parse::<Polyomino>().expect_err(text);
            assert!(error.message.contains(part) && error.hint.contains("snaky"), "{error:?}");
        }
        for (board, moves, part) in [
            ((0, 3), None, "0x3 is empty"),
            ((20, 20), None, "20x20 is too large"),
            ((usize::MAX, 2), None, "too large"),
            ((4, 4), None, "does not fit on 4x4"),
            ((5, 5), Some(5), "cannot be taken in 5 moves"),
        ] {
            let error = shape("snaky").sheet(board, Achievement::Weak, moves).expect_err(part);
            assert!(error.message.contains(part), "{error:?}");
        }
    }

    #[test]
    fn sheets_are_good_files() {
        for rule in [Achievement::Weak, Achievement::Strong] {
            let sheet = shape("tippy").sheet((4, 3), rule, Some(5)).expect("a sheet");
            assert_eq!((sheet.times.len(), sheet.black_wins.len()), (9, 14));
            assert_eq!(sheet.white_wins.is_empty(), rule == Achievement::Weak);
            assert_eq!(Sheet::read(&sheet.write()), Ok(sheet));
        }
    }
}
