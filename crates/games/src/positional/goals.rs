//! Files of a later kind, which do not list the winning sets: `#neighbours` says which cells lie beside each other, and a
//! goal is a path between `#startboarder` and `#endboarder`, or a shape of `#blackgoal` and `#whitegoal`.
//!
//! Both are turned into winning sets, so that everything else knows the plain form only. A path that contains a shorter one
//! is left out, and so is one with more free cells than Black has moves. A shape is a list of `up(p1,p0)` and `side(p1,p2)`:
//! p0 is the first neighbour of p1, p2 its second one.

use std::collections::{BTreeSet, HashMap, VecDeque};

use ludex_core::Error;

use super::file::{MOST_SETS, Section, fault, find};

/// How many steps a search for paths may take.
const MOST_STEPS: usize = 10_000_000;

/// Cells, stones and moves, as far as goals need them.
pub(super) struct Field<'a> {
    pub cells: &'a HashMap<&'a str, usize>,
    pub black: &'a [usize],
    pub white: &'a [usize],
    /// How many moves Black has.
    pub moves: usize,
}

/// The neighbours of every cell in the order of the file; `None` for `na`.
pub(super) struct Neighbours {
    line: usize,
    of: Vec<Vec<Option<usize>>>,
}

impl Field<'_> {
    fn cell(&self, line: usize, name: &str) -> Result<usize, Error> {
        find(self.cells, line, name, "position", "#positions")
    }

    pub(super) fn neighbours(&self, section: &Section<'_>) -> Result<Neighbours, Error> {
        let mut of = vec![Vec::new(); self.cells.len()];
        let mut seen = BTreeSet::new();
        for (line, words) in &section.lines {
            let Some((first, rest)) = words.split_first() else { continue };
            let cell = self.cell(*line, first)?;
            if !seen.insert(cell) {
                return Err(fault(
                    *line,
                    format!("the neighbours of '{first}' come twice"),
                    "one line for each position",
                ));
            }
            let read = |name: &&str| {
                let none = name.eq_ignore_ascii_case("na");
                if none { Ok(None) } else { self.cell(*line, name).map(Some) }
            };
            of[cell] = rest.iter().map(read).collect::<Result<_, _>>()?;
        }
        Ok(Neighbours { line: section.line, of })
    }

    /// The least sets of cells that join two borders.
    pub(super) fn paths(
        &self,
        near: &Neighbours,
        start: &Section<'_>,
        end: &Section<'_>,
    ) -> Result<Vec<Vec<usize>>, Error> {
        let border = |section: &Section<'_>| -> Result<Vec<bool>, Error> {
            let mut border = vec![false; self.cells.len()];
            for (line, name) in section.words() {
                border[self.cell(line, name)?] = true;
            }
            Ok(border)
        };
        let (from, to) = (border(start)?, border(end)?);
        let mut beside = vec![BTreeSet::new(); self.cells.len()];
        for (cell, list) in near.of.iter().enumerate() {
            for &other in list.iter().flatten().filter(|other| **other != cell) {
                beside[cell].insert(other);
                beside[other].insert(cell);
            }
        }
        let open: Vec<bool> = (0..self.cells.len()).map(|cell| !self.white.contains(&cell)).collect();
        let cost: Vec<usize> =
            (0..self.cells.len()).map(|cell| usize::from(!self.black.contains(&cell))).collect();
        let left = distances(&beside, &to, &open, &cost);
        let shortest = (0..self.cells.len()).filter(|&cell| from[cell]).filter_map(|cell| left[cell]).min();
        let Some(shortest) = shortest else {
            return Err(fault(
                start.line,
                "White's stones have separated the borders",
                "the game is decided: there is nothing to ask",
            ));
        };
        let mut walk = Walk {
            beside,
            from,
            to,
            cost,
            left,
            most: shortest.max(self.moves),
            path: Vec::new(),
            found: BTreeSet::new(),
            steps: 0,
        };
        for cell in (0..self.cells.len()).filter(|&cell| walk.from[cell]).collect::<Vec<_>>() {
            walk.on(cell, 0);
        }
        if walk.steps > MOST_STEPS || walk.found.len() > MOST_SETS {
            return Err(fault(
                near.line,
                "there are too many paths between the borders",
                format!("at most {MOST_SETS} winning sets; for Hex on larger boards: hex:RxC"),
            ));
        }
        Ok(walk.found.into_iter().collect())
    }

    /// The copies of the shapes of a goal.
    pub(super) fn shapes(&self, near: &Neighbours, goal: &Section<'_>) -> Result<Vec<Vec<usize>>, Error> {
        let mut steps = [HashMap::new(), HashMap::new()];
        for (cell, list) in near.of.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            let [up, side] = list[..] else {
                return Err(fault(
                    near.line,
                    format!("a position has {} neighbours", list.len()),
                    "with #blackgoal a line of #neighbours is: position, up or na, side or na",
                ));
            };
            for (way, to) in [up, side].into_iter().enumerate() {
                if let Some(to) = to
                    && steps[way].insert(to, cell).is_some()
                {
                    return Err(fault(
                        near.line,
                        format!("two positions have the same {} neighbour", ["up", "side"][way]),
                        "on a board every position has its own",
                    ));
                }
            }
        }
        let go = |way: usize, cell: usize, back: bool| {
            if back { steps[way].get(&cell).copied() } else { near.of[cell].get(way).copied().flatten() }
        };
        let mut copies = BTreeSet::new();
        for (line, words) in &goal.lines {
            let shape: Vec<Joint> = words.iter().map(|word| joint(*line, word)).collect::<Result<_, _>>()?;
            for cell in 0..self.cells.len() {
                let mut at: HashMap<u32, usize> = HashMap::from([(shape[0].from, cell)]);
                // Every round places a square or is the last: either all are placed, or the rest hang nowhere.
                let mut fits = true;
                while fits {
                    let known = at.len();
                    for &Joint { way, from, to } in &shape {
                        let (here, next, back) = match (at.get(&from), at.get(&to)) {
                            (Some(&here), _) => (here, to, false),
                            (None, Some(&here)) => (here, from, true),
                            (None, None) => continue,
                        };
                        let Some(there) = go(way, here, back) else {
                            fits = false;
                            break;
                        };
                        fits &= *at.entry(next).or_insert(there) == there;
                    }
                    if at.len() == known {
                        break;
                    }
                }
                if fits && shape.iter().any(|joint| !at.contains_key(&joint.from)) {
                    return Err(fault(
                        *line,
                        "the squares of this shape do not hang together",
                        "every up(…) and side(…) shares a square with another",
                    ));
                }
                let cells: BTreeSet<usize> = at.values().copied().collect();
                if fits && cells.len() == at.len() {
                    copies.insert(cells.into_iter().collect());
                }
            }
        }
        Ok(copies.into_iter().collect())
    }
}

/// One step of a shape: from a square to its neighbour.
#[derive(Clone, Copy)]
struct Joint {
    /// 0 is up, 1 is side.
    way: usize,
    from: u32,
    to: u32,
}

fn joint(line: usize, word: &str) -> Result<Joint, Error> {
    let read = || {
        let (way, rest) = word.split_once('(')?;
        let (from, to) = rest.strip_suffix(')')?.split_once(',')?;
        let number = |text: &str| text.strip_prefix('p')?.parse().ok();
        let way = ["up", "side"].iter().position(|name| *name == way)?;
        let (from, to) = (number(from)?, number(to)?);
        (from != to).then_some(Joint { way, from, to })
    };
    read().ok_or_else(|| {
        fault(line, format!("'{word}' is no part of a shape"), "up(p1,p0) or side(p1,p2), without spaces")
    })
}

/// The free cells of the cheapest way from each cell to a border, with its own.
fn distances(beside: &[BTreeSet<usize>], to: &[bool], open: &[bool], cost: &[usize]) -> Vec<Option<usize>> {
    let mut left: Vec<Option<usize>> = vec![None; beside.len()];
    let mut queue: VecDeque<(usize, usize)> = VecDeque::new();
    let push = |queue: &mut VecDeque<_>, cell: usize, far: usize| {
        if cost[cell] == 0 { queue.push_front((cell, far)) } else { queue.push_back((cell, far + 1)) }
    };
    (0..beside.len()).filter(|&cell| to[cell] && open[cell]).for_each(|cell| push(&mut queue, cell, 0));
    while let Some((cell, far)) = queue.pop_front() {
        if left[cell].is_some_and(|known| known <= far) {
            continue;
        }
        left[cell] = Some(far);
        beside[cell].iter().filter(|&&next| open[next]).for_each(|&next| push(&mut queue, next, far));
    }
    left
}

/// A walk over all paths of which no part is a path too: no cell is beside an earlier one but the last, and only the ends are
/// at the borders.
struct Walk {
    beside: Vec<BTreeSet<usize>>,
    from: Vec<bool>,
    to: Vec<bool>,
    cost: Vec<usize>,
    left: Vec<Option<usize>>,
    most: usize,
    path: Vec<usize>,
    found: BTreeSet<Vec<usize>>,
    steps: usize,
}

impl Walk {
    fn on(&mut self, cell: usize, spent: usize) {
        self.steps += 1;
        let reach = self.left[cell].is_some_and(|left| spent + left <= self.most);
        if !reach || self.steps > MOST_STEPS || self.found.len() > MOST_SETS {
            return;
        }
        self.path.push(cell);
        if self.to[cell] {
            let mut set = self.path.clone();
            set.sort_unstable();
            self.found.insert(set);
        } else {
            for next in self.beside[cell].clone() {
                let earlier = &self.path[..self.path.len() - 1];
                let straight = !earlier.iter().any(|&old| old == next || self.beside[next].contains(&old));
                if straight && !self.from[next] {
                    self.on(next, spent + self.cost[cell]);
                }
            }
        }
        self.path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Polyomino, Sheet};
    use crate::positional::Achievement;

    /// A board of squares with up and side neighbours.
    fn grid(columns: usize, rows: usize, goal: &str) -> String {
        let name = |x: usize, y: usize| format!("{}{}", char::from(b'a' + x as u8), y + 1);
        let cells: Vec<(usize, usize)> = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))).collect();
        let names: Vec<String> = cells.iter().map(|&(x, y)| name(x, y)).collect();
        let near: String = cells
            .iter()
            .map(|&(x, y)| {
                let up = if y > 0 { name(x, y - 1) } else { "na".into() };
                let side = if x + 1 < columns { name(x + 1, y) } else { "NA".into() };
                format!("{} {up} {side}\n", name(x, y))
            })
            .collect();
        let times: Vec<String> = (1..=columns * rows).map(|t| format!("t{t}")).collect();
        let black: Vec<&str> = times.iter().step_by(2).map(String::as_str).collect();
        format!(
            "#times\n{}\n#blackturns\n{}\n#positions\n{}\n#neighbours\n{near}#blackgoal\n{goal}\n",
            times.join(" "),
            black.join(" "),
            names.join(" ")
        )
    }

    /// Two shapes that are each other's mirror images and turns are all copies of Elly.
    #[test]
    fn shapes_are_copies_of_polyominoes() {
        let goal = "up(p1,p0) up(p2,p1) side(p2,p3)\nup(p1,p0) up(p2,p1) side(p3,p2)\nup(p1,p0) up(p2,p1) side(p0,p3)\n\
                    up(p1,p0) up(p2,p1) side(p3,p0)\nside(p0,p1) side(p1,p2) up(p3,p0)\nside(p0,p1) side(p1,p2) up(p0,p3)\n\
                    side(p0,p1) side(p1,p2) up(p3,p2)\nside(p0,p1) side(p1,p2) up(p2,p3)";
        let sheet = Sheet::read(&grid(4, 5, goal)).expect("a good file");
        let elly: Polyomino = "elly".parse().expect("a shape");
        let same = elly.sheet((4, 5), Achievement::Weak, None).expect("a sheet");
        assert_eq!(sheet.black_wins, same.black_wins);
        assert_eq!((sheet.cells, sheet.times), (same.cells, same.times));
    }

    #[test]
    fn a_shape_is_placed_once_for_each_cell() {
        let sheet = Sheet::read(&grid(3, 2, "up(p1,p0) side(p1,p2)")).expect("a good file");
        // A corner: p1 below p0, p2 beside p1.
        assert_eq!(sheet.black_wins, [vec![0, 3, 4], vec![1, 4, 5]]);
    }

    /// Hex on 3x3, Black from left to right: the sets are the least sets of cells that join the sides, by trying all.
    const HEX: &str = "#times\nt1 t2 t3 t4 t5 t6 t7 t8 t9\n#blackturns\nt1 t3 t5 t7 t9\n#positions\na1 a2 a3 b1 b2 b3 c1 c2 c3\n\
        #blackwins\n#neighbours\na1 b1 a2\na2 b2 a1 a3 b1\na3 b3 a2 b2\nb1 a1 c1 b2 a2\nb2 a2 c2 b1 b3 a3 c1\nb3 a3 c3 b2 c2\n\
        c1 b1 c2 b2\nc2 b2 c1 c3 b3\nc3 b3 c2\n#startboarder\na1 b1 c1\n#endboarder\na3 b3 c3\n";

    fn joined(set: u32) -> bool {
        // Row r, place i: a1 is 0, a2 is 1, b1 is 3.
        let near = |a: u32, b: u32| {
            let (d, e) = ((b / 3) as i32 - (a / 3) as i32, (b % 3) as i32 - (a % 3) as i32);
            [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)].contains(&(d, e))
        };
        let mut reached = set & 0b001_001_001;
        loop {
            let more =
                (0..9).filter(|&c| set >> c & 1 == 1 && (0..9).any(|o| reached >> o & 1 == 1 && near(o, c)));
            let next = more.fold(reached, |r, c| r | 1 << c);
            if next == reached {
                return reached & 0b100_100_100 != 0;
            }
            reached = next;
        }
    }

    #[test]
    fn paths_are_the_least_sets_that_join() {
        let sheet = Sheet::read(HEX).expect("a good file");
        let least = |set: &u32| joined(*set) && (0..9).all(|c| set >> c & 1 == 0 || !joined(set & !(1 << c)));
        let mut slow: Vec<Vec<usize>> =
            (0..512u32).filter(least).map(|set| (0..9).filter(|c| set >> c & 1 == 1).collect()).collect();
        slow.sort();
        assert_eq!(sheet.black_wins, slow);
        assert_eq!(Sheet::read(&sheet.write()), Ok(sheet));
    }

    #[test]
    fn stones_and_moves_leave_fewer_paths() {
        let text = HEX.replace("t1 t2 t3 t4 t5 t6 t7 t8 t9", "t1 t2 t3").replace("t1 t3 t5 t7 t9", "t1 t3")
            + "#blackinitials\na1\n#whiteinitials\nb1\nc2\n";
        let sheet = Sheet::read(&text).expect("a good file");
        // With a1, two more cells: a2 a3, or a2 b... which is beside a3.
        assert_eq!(sheet.black_wins, [vec![0, 1, 2]]);
        let cut = HEX.replace("t1 t2 t3 t4 t5 t6 t7 t8 t9", "t1").replace("t1 t3 t5 t7 t9", "t1")
            + "#whiteinitials\na2\nb2\nc2\n";
        assert!(Sheet::read(&cut).expect_err("cut").message.contains("separated"));
    }

    #[test]
    fn faults_of_goals() {
        for (text, part) in [
            (grid(3, 2, "up(p1,p0) side(p2,p3)"), "do not hang together"),
            (grid(3, 2, "left(p1,p0)"), "'left(p1,p0)' is no part of a shape"),
            (grid(3, 2, "up(p1,p1)"), "is no part of a shape"),
            (grid(3, 2, "up(p1 ,p0)"), "is no part of a shape"),
            (grid(3, 2, "up(p1,p0)").replace("a1 na b1\n", "a1 na\n"), "1 neighbours"),
            (grid(3, 2, "up(p1,p0)").replace("b1 na c1\n", "b1 na b1\n"), "the same side neighbour"),
            (grid(3, 2, "up(p1,p0)").replace("b1 na c1\n", "a1 na c1\n"), "come twice"),
            (grid(3, 2, "up(p1,p0)").replace("#neighbours", "#version"), "#neighbours is missing"),
            (grid(2, 1, "up(p1,p0)"), "no winning set"),
            (HEX.replace("#endboarder\na3 b3 c3\n", ""), "#endboarder is missing"),
            (HEX.replace("a3 b3 c3\n", "a3 d3\n"), "there is no position 'd3'"),
            ("#boardsize\n3 3\n#init\n#depth\n3\n".to_owned(), "line 1: '#boardsize' is of another format"),
        ] {
            let error = Sheet::read(&text).expect_err(part);
            assert!(error.message.contains(part) && !error.hint.is_empty(), "{part}: {error:?}");
        }
    }
}
