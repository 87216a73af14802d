//! Whether a parser takes only what the printer prints.
//!
//! Texts that the game has written are spoilt: foreign signs put in, signs and rows left out or doubled, one symbol put
//! for another. What is refused is fine. What is read must come back as the same text, but for upper and lower case;
//! where a single symbol was changed, a variant that the printer writes otherwise will do, if that reads as the same.

use std::collections::BTreeSet;

use crate::{Notation, Rng};

/// Signs that hardly any notation has; numbers that are read carelessly may begin with `+`.
const FOREIGN: [char; 8] = ['#', '~', '%', '+', 'é', '\0', '@', '😀'];

/// How many places of a text are spoilt.
const PLACES: usize = 12;

/// Spoil the text of a position and of its moves in many ways, and return the positions that were read all the same.
///
/// # Panics
/// If a text was read that the game would not write.
pub fn spoilt_texts<G: Notation>(game: &G, p: &G::Position, seed: u64) -> Vec<G::Position> {
    let mut rng = Rng::new(seed);
    let text = game.board_text(p);
    let mut alphabet: BTreeSet<char> = text.chars().filter(|c| *c != '/' && !c.is_ascii_digit()).collect();
    alphabet.extend(game.layout().iter().flat_map(|l| &l.symbols).flat_map(|s| s.symbol.chars()));
    let foreign: Vec<char> =
        FOREIGN.into_iter().filter(|c| !alphabet.contains(c) && !text.contains(*c)).collect();
    for sign in &foreign {
        for spoilt in put_in(&text, *sign, &mut rng) {
            if let Ok(read) = game.parse_position(&spoilt) {
                panic!(
                    "'{spoilt}' has the foreign sign '{sign}', but is read as {}",
                    game.position_text(&read)
                );
            }
        }
    }
    let mut accepted = Vec::new();
    for spoilt in misshapen(&text, &mut rng) {
        if let Some(read) = readable(game, &spoilt) {
            let written = game.board_text(&read);
            let same = written.eq_ignore_ascii_case(&spoilt);
            assert!(same, "'{spoilt}' is read as '{written}': refuse what has another shape");
            accepted.push(read);
        }
    }
    for spoilt in changed(&text, &alphabet, &mut rng) {
        accepted.extend(readable(game, &spoilt));
    }
    let turned = format!("{text} {}", game.side(p).other());
    if let Some(read) = readable(game, &turned) {
        assert_ne!(game.side(&read), game.side(p), "'{turned}' is read with the other side to move");
        accepted.push(read);
    }
    if game.outcome(p).is_none() {
        spoilt_moves(game, p, &foreign, &mut rng);
    }
    accepted
}

/// Read a spoilt board; what it is written as must read as the same.
fn readable<G: Notation>(game: &G, spoilt: &str) -> Option<G::Position> {
    let read = game.parse_position(spoilt).ok()?;
    let written = game.position_text(&read);
    match game.parse_position(&written) {
        Ok(again) => {
            assert_eq!(again, read, "'{spoilt}' is written as '{written}', which is another position")
        }
        Err(e) => panic!("'{spoilt}' is read and written as '{written}', which is refused: {e}"),
    }
    Some(read)
}

fn spoilt_moves<G: Notation>(game: &G, p: &G::Position, foreign: &[char], rng: &mut Rng) {
    let at = game.position_text(p);
    let legal = game.moves(p);
    for _ in 0..3 {
        let Some(&m) = rng.pick(&legal) else { return };
        let name = game.move_text(p, m);
        for sign in foreign.iter().filter(|sign| !name.contains(**sign)) {
            for spoilt in put_in(&name, *sign, rng) {
                if let Ok(read) = game.parse_move(p, &spoilt) {
                    let read = game.move_text(p, read);
                    panic!(
                        "{at}: the move '{spoilt}' has the foreign sign '{sign}', but is read as '{read}'"
                    );
                }
            }
        }
        for spoilt in misshapen(&name, rng) {
            if let Ok(read) = game.parse_move(p, &spoilt) {
                assert!(legal.contains(&read), "{at}: '{spoilt}' is read as the illegal move {read:?}");
            }
        }
    }
}

/// Some places of a text, its two ends among them.
fn places(signs: usize, rng: &mut Rng) -> BTreeSet<usize> {
    let mut places: BTreeSet<usize> = [0, signs].into();
    places.extend((0..PLACES).map(|_| rng.below(signs + 1)));
    places
}

/// A sign put in between, and put in the place of another.
fn put_in(text: &str, sign: char, rng: &mut Rng) -> Vec<String> {
    let signs: Vec<char> = text.chars().collect();
    let mut spoilt = Vec::new();
    for at in places(signs.len(), rng) {
        let (before, after) = signs.split_at(at);
        spoilt.push(before.iter().chain(&[sign]).chain(after).collect());
        if !after.is_empty() {
            spoilt.push(before.iter().chain(&[sign]).chain(&after[1..]).collect());
        }
    }
    spoilt
}

/// Signs and rows left out and doubled, and separators at the ends.
fn misshapen(text: &str, rng: &mut Rng) -> Vec<String> {
    let signs: Vec<char> = text.chars().collect();
    let mut spoilt = vec![format!("{text}/"), format!("/{text}"), format!("{text}/{text}")];
    for at in places(signs.len(), rng).into_iter().filter(|&at| at < signs.len()) {
        let (before, after) = signs.split_at(at);
        spoilt.push(before.iter().chain(&after[1..]).collect());
        spoilt.push(before.iter().chain(&after[..1]).chain(after).collect());
    }
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() > 1 {
        for at in 0..rows.len() {
            let (before, after) = rows.split_at(at);
            spoilt.push([before, &after[1..]].concat().join("/"));
            spoilt.push([before, &after[..1], after].concat().join("/"));
        }
    }
    // An empty text is the start, and the same text is no spoilt one.
    spoilt.retain(|s| !s.trim().is_empty() && s != text);
    spoilt
}

/// One sign of the alphabet put for another.
fn changed(text: &str, alphabet: &BTreeSet<char>, rng: &mut Rng) -> Vec<String> {
    let signs: Vec<char> = text.chars().collect();
    let mut spoilt = Vec::new();
    for at in places(signs.len(), rng).into_iter().filter(|&at| at < signs.len() && signs[at] != '/') {
        for sign in alphabet.iter().filter(|sign| **sign != signs[at]) {
            let (before, after) = signs.split_at(at);
            spoilt.push(before.iter().chain(&[*sign]).chain(&after[1..]).collect());
        }
    }
    spoilt
}
