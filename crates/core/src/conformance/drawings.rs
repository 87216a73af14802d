//! Whether pictures and drawings show what they should.

use std::collections::BTreeSet;

use crate::{Mark, Notation, Scene};

/// Check the picture, the drawing, the layout and the facts of a position.
///
/// # Panics
/// If a click has no cell, a mark or the last move is not shown, or something is said of cells that there are not.
pub fn drawings<G: Notation>(game: &G, p: &G::Position) {
    let at = game.position_text(p);
    let svg = game.svg(p, &Scene::default());
    assert!(
        svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"),
        "{at}: the drawing is no SVG document"
    );
    assert!(!svg.contains("style="), "{at}: the drawing has a style; colours are attributes and classes");
    assert!(game.picture(p).ends_with('\n'), "{at}: the picture does not end with a line break");
    check_layout(game, p);
    let names = |attribute: &str, name: &str| svg.contains(&format!("{attribute}=\"{name}\""));
    let facts = game.facts(p).into_iter().map(|fact| (fact.name, fact.cells));
    let reasons = game.settled(p).into_iter().map(|reason| (reason.said.text, reason.cells));
    for (what, cells) in facts.chain(reasons) {
        for cell in cells {
            let drawn = names("data-cell", &cell) || names("data-spot", &cell);
            assert!(drawn, "{at}: '{what}' is about {cell}, which is not drawn");
        }
    }
    if game.outcome(p).is_some() {
        let why = game.why(p);
        assert!(why.as_ref().is_none_or(|why| !why.text.trim().is_empty()), "{at}: `why` is empty");
        return;
    }
    assert_eq!(game.why(p), None, "{at}: the game is not over, but `why` says why it is");
    let moves = game.moves(p);
    let cells: BTreeSet<String> = moves.iter().flat_map(|&m| game.clicks(p, m)).collect();
    for cell in &cells {
        assert!(
            names("data-cell", cell),
            "{at}: nothing is drawn with data-cell=\"{cell}\", which is to be clicked"
        );
    }
    check_marks(game, p, &cells);
    // The first, the last and the one in the middle.
    for &m in [moves.first(), moves.get(moves.len() / 2), moves.last()].into_iter().flatten() {
        check_move(game, p, m);
    }
}

/// Marks on all cells are drawn with their text and class.
fn check_marks<G: Notation>(game: &G, p: &G::Position, cells: &BTreeSet<String>) {
    let mark = |(i, cell): (usize, &String)| Mark {
        cell: cell.clone(),
        text: format!("m{i}"),
        class: format!("class{i}"),
    };
    let marks: Vec<Mark> = cells.iter().enumerate().map(mark).collect();
    let svg = game.svg(p, &Scene { marks: marks.clone(), ..Scene::default() });
    for Mark { cell, text, class } in marks {
        let at = game.position_text(p);
        assert!(svg.contains(&format!(">{text}<")), "{at}: the text of a mark on {cell} is not drawn");
        let classes = |s: &str| s.split(['"', ' ']).any(|word| word == class);
        assert!(
            svg.split("class=").skip(1).any(|s| classes(s.split('>').next().unwrap_or(s))),
            "{at}: the class of a mark on {cell} is not drawn"
        );
    }
}

/// A move changes the picture and the drawing, and is shown as the last one.
fn check_move<G: Notation>(game: &G, p: &G::Position, m: G::Move) {
    let (at, name, next) = (game.position_text(p), game.move_text(p, m), game.play(p, m));
    if game.board_text(&next) != game.board_text(p) {
        assert_ne!(game.picture(&next), game.picture(p), "{at}: the picture is the same after '{name}'");
    }
    let svg = game.svg(&next, &Scene::default());
    assert_ne!(svg, game.svg(p, &Scene::default()), "{at}: the drawing is the same after '{name}'");
    let shown = game.svg(&next, &Scene { last: Some(m), ..Scene::default() });
    assert_ne!(shown, svg, "{at}: the last move '{name}' is not shown in the drawing");
}

/// The board text is made of the symbols of the layout, a row of them for every row.
fn check_layout<G: Notation>(game: &G, p: &G::Position) {
    let Some(layout) = game.layout() else { return };
    let text = game.board_text(p);
    let mut symbols: Vec<&str> = layout.symbols.iter().map(|s| s.symbol.as_str()).collect();
    symbols.sort_by_key(|s| std::cmp::Reverse(s.len()));
    let names: BTreeSet<&String> = layout.rows.iter().flatten().collect();
    assert_eq!(
        names.len(),
        layout.rows.iter().flatten().count(),
        "two cells of the layout have the same name"
    );
    let rows: Vec<&str> = text.split('/').collect();
    assert_eq!(rows.len(), layout.rows.len(), "{text}: the layout (right) has another number of rows");
    for (row, names) in rows.into_iter().zip(&layout.rows) {
        let (mut rest, mut cells) = (row, 0);
        while !rest.is_empty() {
            let Some(symbol) = symbols.iter().find(|s| !s.is_empty() && rest.starts_with(**s)) else {
                panic!("{text}: the layout has no symbol for '{rest}'");
            };
            (rest, cells) = (&rest[symbol.len()..], cells + 1);
        }
        assert_eq!(
            cells,
            names.len(),
            "{text}: the row '{row}' has another number of cells than the layout (right)"
        );
    }
}
