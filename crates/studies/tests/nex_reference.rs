//! Positions of Nex whose values other programs have computed, under both rule sets.
//!
//! The rows of 4x4 need the table of the whole board, which takes a minute: they are checked when `LUDEX_NEX_TABLES`
//! names a folder with `nex-4x4.table` and `nex-4x4-rules-official.table`.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    path::PathBuf,
};

use ludex_core::{Game, Notation, Numbering, Value};
use ludex_games::nex::{Nex, Rules};
use ludex_judge::{NoStudy, table::Answers};
use ludex_search::retrograde::{solve_all, value_of};

/// A board's rows: position text, then value and plies under nexc and under official rules.
type Rows = BTreeMap<(usize, usize), Vec<(String, [(String, u32); 2])>>;

fn rows() -> Rows {
    let mut rows = Rows::new();
    for line in include_str!("data/nex_positions.csv").lines().skip(1) {
        let f: Vec<&str> = line.split(',').collect();
        let number = |i: usize| f[i].parse().unwrap_or_else(|_| panic!("{line}"));
        let values = [(f[4].to_owned(), number(5)), (f[6].to_owned(), number(7))];
        let board = (number(0) as usize, number(1) as usize);
        rows.entry(board).or_default().push((format!("{} {}", f[2], f[3]), values));
    }
    rows
}

fn same(value: Value, expected: &(String, u32), left: u32) -> bool {
    match expected.0.as_str() {
        "W" => value == Value::win(expected.1),
        "L" => value == Value::loss(expected.1),
        // A drawn game lasts until nobody can move, so its length follows from the position.
        _ => value == Value::DRAW && left == expected.1,
    }
}

fn check(
    game: &Nex<1>,
    rule: usize,
    rows: &Rows,
    value: impl Fn(&<Nex<1> as Game>::Position) -> Option<Value>,
) -> usize {
    let list = &rows[&(game.board.rows, game.board.cols)];
    for (text, values) in list {
        let p = game.parse_position(text).unwrap();
        let found = value(&p).unwrap();
        assert!(
            same(found, &values[rule], game.max_plies(&p)),
            "{} {text}: {found}, not {:?}",
            game.spec(),
            values[rule]
        );
    }
    list.len()
}

#[test]
fn all_rows_of_boards_up_to_twelve_cells() {
    let rows = rows();
    let mut checked = 0;
    for &(r, c) in rows.keys().filter(|(r, c)| r * c <= 12) {
        for (i, rules) in [Rules::Nexc, Rules::Official].into_iter().enumerate() {
            let game = Nex::<1>::new(r, c, rules, false);
            let numbering: Box<dyn Numbering<Nex<1>>> = game.numbering().unwrap();
            let codes =
                solve_all(&game, numbering.as_ref(), &ludex_core::Unlimited).expect("nobody stops it");
            checked += check(&game, i, &rows, |p| value_of(numbering.as_ref(), &codes, p));
        }
    }
    assert_eq!(checked, 2 * 409);
}

#[test]
fn all_rows_of_four_by_four_if_its_tables_are_there() {
    let Some(folder) = std::env::var_os("LUDEX_NEX_TABLES").map(PathBuf::from) else {
        // Not `eprintln`, which the test harness would hide.
        let _ = writeln!(io::stderr(), "skipped: LUDEX_NEX_TABLES names no folder");
        return;
    };
    let rows = rows();
    for (i, (rules, name)) in
        [(Rules::Nexc, "nex-4x4.table"), (Rules::Official, "nex-4x4-rules-official.table")]
            .into_iter()
            .enumerate()
    {
        let game = Nex::<1>::new(4, 4, rules, false);
        let answers = Answers::open(&game, &NoStudy, &folder.join(name)).unwrap();
        check(&game, i, &rows, |p| answers.value(&game, p).unwrap());
    }
}
