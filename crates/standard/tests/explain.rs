//! Why positions are worth what they are, in words.

use ludex_judge::{Question, Side, Terms};
use ludex_standard::open;

fn reasons(spec: &str, position: &str) -> Vec<String> {
    let game = open(spec).expect("a game");
    let explanation = game.explain(&Question::at(position), &Terms::default()).expect("an explanation");
    explanation.reasons.into_iter().map(|r| r.said.text).collect()
}

#[test]
fn a_win_at_once_names_the_line() {
    let reasons = reasons("mnk:3,3,3", "xx./oo./...");
    assert_eq!(
        reasons[..2],
        ["The only winning move is c3, and it wins at once.", "After 1 ply: X has the line a3 b3 c3."]
    );
}

#[test]
fn moves_that_are_equally_good_are_all_named() {
    assert_eq!(
        reasons("mnk:3,3,3", ".../.../xo.")[0],
        "3 of 7 moves win, soonest by playing a2 or b2 or a3."
    );
}

#[test]
fn two_threats_cannot_both_be_stopped() {
    let reasons = reasons("mnk:3,3,3", "x.x/.o./x.o");
    assert_eq!(reasons[0], "X threatens a2 and b3, and O can stop only one.");
}

#[test]
fn a_draw_and_a_finished_game_have_reasons() {
    assert_eq!(reasons("mnk:3,3,3", ".../.../...")[0], "Every move draws: neither side can force a win.");
    assert_eq!(reasons("mnk:3,3,3", "xxx/oo./..."), ["X has the line a3 b3 c3."]);
}

#[test]
fn the_line_goes_to_the_end_and_says_what_is_forced() {
    let game = open("mnk:4,4,3").expect("a game");
    let explanation = game.explain(&Question::default(), &Terms::default()).expect("an explanation");
    let notes: Vec<_> = explanation.line.iter().map(|p| p.note.as_deref().unwrap_or("")).collect();
    assert_eq!(explanation.line.len(), 5, "{:?}", explanation.line);
    assert_eq!(notes.last(), Some(&"wins"));
    assert!(notes[2].starts_with("threatens"), "{notes:?}");
}

/// In a misère game who makes the last move has lost.
#[test]
fn the_last_move_of_a_misere_game_loses() {
    let game = open("mnk:2,2,2,rule=misere").expect("a game");
    let explanation = game.explain(&Question::default(), &Terms::default()).expect("an explanation");
    let last = explanation.line.last().expect("a line");
    assert_eq!((last.by, last.note.as_deref()), (Side::First, Some("loses")), "{:?}", explanation.line);
}
