//! Collapsi against deals and positions solved by other programs, and the complete census of 3x3.

use std::collections::HashMap;

use ludex_core::{
    Game, Notation, Side, Value,
    conformance::{self, Minimax},
};
use ludex_games::collapsi::{Collapsi, Position};

/// A row of a reference file: the position and every move with its value.
struct Row {
    text: String,
    side: Side,
    value: Value,
    best: Vec<String>,
    moves: Vec<(String, Value)>,
}

fn value(won: bool, plies: u32) -> Value {
    if won { Value::win(plies) } else { Value::loss(plies) }
}

fn rows(csv: &str) -> Vec<Row> {
    let mut lines = csv.lines().filter(|l| !l.starts_with('#'));
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let column = |name: &str| header.iter().position(|&h| h == name);
    let words = |text: &str| text.split(' ').filter(|w| *w != "-").map(str::to_owned).collect::<Vec<_>>();
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let field = |name: &str| fields[column(name).unwrap_or_else(|| panic!("no column {name}"))];
            let board = if column("deal").is_some() { field("deal") } else { field("position") };
            let moves = words(field("all_moves")).into_iter().map(|entry| {
                let (m, v) = entry.split_once('=').expect("move=value");
                (m.to_owned(), value(v.starts_with('W'), v[1..].parse().expect("plies")))
            });
            Row {
                text: board.to_owned(),
                side: if field("to_move") == "X" { Side::First } else { Side::Second },
                value: value(field("win") == "1", field("plies").parse().expect("plies")),
                best: words(field("best_moves")),
                moves: moves.collect(),
            }
        })
        .collect()
}

fn reference() -> Vec<Row> {
    let mut all = rows(include_str!("data/collapsi_deals.csv"));
    all.extend(rows(include_str!("data/collapsi_positions.csv")));
    assert_eq!(all.len(), 440);
    all
}

fn read(game: &Collapsi, row: &Row) -> Position {
    game.parse_position(&format!("{} {}", row.text, row.side)).unwrap_or_else(|e| panic!("{}: {e}", row.text))
}

#[test]
fn the_reference_rows_have_our_moves_in_our_order() {
    let game = Collapsi::new(4, false);
    for row in reference() {
        let p = read(&game, &row);
        let mut moves = Vec::new();
        game.each_move(&p, |m| moves.push(game.move_text(&p, m)));
        let theirs: Vec<String> = row.moves.iter().map(|(m, _)| m.clone()).collect();
        assert_eq!(moves, theirs, "{}", row.text);
        game.each_move(&p, |m| {
            let path = game.path(&p, m);
            assert_eq!(path.len(), usize::from(m.steps) + 1);
            assert_eq!(format!("{}-{}", path[0], path[path.len() - 1]), game.move_text(&p, m));
            assert_eq!(game.path(&game.play(&p, m), m), path, "the way can be found afterwards too");
        });
    }
}

#[test]
fn the_reference_values_are_ours() {
    let game = Collapsi::new(4, false);
    for row in reference() {
        let p = read(&game, &row);
        let mut minimax = Minimax::new();
        assert_eq!(minimax.value(&game, &p), row.value, "{}", row.text);
        for (m, value) in &row.moves {
            let child = game.play(&p, game.parse_move(&p, m).expect("a legal move"));
            assert_eq!(minimax.value(&game, &child).back(), *value, "{} {m}", row.text);
            assert_eq!(row.best.contains(m), *value == row.value, "{} {m}", row.text);
        }
    }
}

#[test]
fn hints_are_true_on_sampled_positions() {
    for wild in [false, true] {
        let game = Collapsi::new(4, wild);
        // Near the end, where a side is stuck after the next move or the one after it.
        assert!(conformance::sampled_look(&game, |seed| game.shuffled(seed), 5, 1000) > 300);
        assert!(conformance::sampled_look(&game, |seed| game.shuffled(seed), 10, 150) > 100);
        assert!(conformance::sampled_look(&game, |seed| game.shuffled(seed), 14, 3) > 2);
    }
}

/// Every deal of a deck with X on the first cell.
fn deals(width: usize, cards: &[u8]) -> Vec<Position> {
    fn arrange(rest: &mut Vec<u8>, row: &mut Vec<u8>, cells: usize, all: &mut Vec<Position>) {
        if row.len() == cells {
            let other = row.iter().skip(1).position(|&c| c == 5).expect("two start cards") + 1;
            all.push(Position::new(row, [0, other], Side::First));
            return;
        }
        for i in 0..rest.len() {
            if i > 0 && rest[i - 1] == rest[i] {
                continue;
            }
            let card = rest.remove(i);
            row.push(card);
            arrange(rest, row, cells, all);
            row.pop();
            rest.insert(i, card);
        }
    }
    let mut rest = cards.to_vec();
    rest.sort_unstable();
    let start = rest.pop().expect("a start card");
    let mut all = Vec::new();
    arrange(&mut rest, &mut vec![start], width * width, &mut all);
    all
}

/// Published: 280 deals up to translation, 228 won; 120 in 5, 108 in 7, and 52 lost in 6.
#[test]
fn census_of_3x3() {
    let game = Collapsi::new(3, false);
    let all = deals(3, &game.deck());
    let mut census: HashMap<Value, usize> = HashMap::new();
    let mut keys: HashMap<u64, Value> = HashMap::new();
    for deal in &all {
        let value = Minimax::new().value(&game, deal);
        *census.entry(value).or_default() += 1;
        assert_eq!(*keys.entry(game.key(deal)).or_insert(value), value, "symmetric deals are worth the same");
    }
    assert_eq!(all.len(), 280);
    assert_eq!(census, HashMap::from([(Value::win(5), 120), (Value::loss(6), 52), (Value::win(7), 108)]));
}

#[test]
fn both_notations_and_their_faults() {
    let game = Collapsi::new(4, true);
    let read = |text: &str| game.parse_position(text);
    let deal = read("1223/4121r/3123/1b314/0").expect("the other notation");
    assert_eq!(game.position_text(&deal), "A223/4A2X/3A23/O3A4");
    let later = read("1223/4120/312r3/1b314/1").expect("one move later");
    assert_eq!(game.position_text(&later), "A223/4A2./3A2x3/Jo3A4");
    assert_eq!(game.side(&later), Side::Second);
    assert_eq!(
        game.position_text(&read("A223/4A2X/3A23/O3A4 o").expect("O to move")),
        "A223/4A2X/3A23/O3A4 second"
    );
    for (text, fault) in [
        ("A223/4A2X/3A23", "3 rows"),
        ("A223/4A2X/3A2/O3A4", "row 3 has 3 cards"),
        ("A2234/4A2X/3A23/O3A4", "row 1 has more"),
        ("A223/4A2X/3A25/O3A4", "'5' in row 3"),
        ("A223/4A2X/3A23/43A4", "pawn O is missing"),
        ("A223/4A2X/3A2x3/O3A4", "X stands on d2 and on c3"),
        ("A223/4A2X/3A2./O3A4/0", "1 cards have collapsed"),
        ("A223/4A2X/3A2.o/43A4", "which has collapsed"),
        ("A223/o4A2X/3A23/43A4", "begins with the pawn"),
        ("A223/4A2Xo/3A23/43A4", "both pawns stand on d2"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.message.contains(fault), "{text}: {}", error.message);
    }
}

#[test]
fn why_the_loser_is_stuck() {
    let game = Collapsi::new(4, false);
    for (text, words) in [
        (
            "..../2x4../...4o/...A",
            "X is stuck on a2: it has to make 2 steps, but over the cards that lie it can make no more than 1",
        ),
        (
            "..../AxAo../..../....",
            "X is stuck on a2: it has to make 1 step, but that could end only on b2, where O stands",
        ),
        (
            "..../3x.../..4o./....",
            "X is stuck on a2: it has to make 3 steps, but all cards around it have collapsed",
        ),
    ] {
        let p = game.parse_position(text).expect(text);
        assert_eq!(game.why(&p).map(|said| said.text).as_deref(), Some(words));
    }
    let on = game.parse_position("A242/2333/34X2/OAAA").expect("a deal");
    assert_eq!(game.why(&on), None);
}
