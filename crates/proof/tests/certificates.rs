//! What is written is accepted, says what is true, and can be cut and joined.
#![allow(missing_docs)]

mod common;

use std::collections::BTreeSet;

use ludex_proof::{Book, Header, check, rewrite, rules};

#[test]
fn small_games_are_proved_and_accepted() {
    let mut used = BTreeSet::new();
    for (i, (name, file)) in common::small().iter().enumerate() {
        let checked = check(file).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        common::keep(&format!("small-{i}-valid"), file);
        used.extend(
            checked
                .header
                .here
                .iter()
                .chain(&checked.header.after)
                .map(|rule| rule.to_string().split('=').next().unwrap_or_default().to_owned()),
        );
        let (again, _) = Header::read(file).expect("a header");
        assert!(file.starts_with(again.write().as_bytes()), "{name}");
    }
    let wanted = ["dead", "follow", "odd", "play", "steal", "stop", "threats", "zone"];
    assert!(wanted.iter().all(|rule| used.contains(*rule)), "only {used:?} are used");
}

#[test]
fn a_certificate_in_chunks_is_accepted_and_joined_again() {
    let open = |header: &Header| rules::open(&header.spec, header.sheet.as_deref());
    let mut cut = 0;
    for (name, file) in common::small() {
        for most in [3, 10] {
            let split = rewrite(std::slice::from_ref(file), &open, most).expect("chunks");
            let checked = check(&split).unwrap_or_else(|fault| panic!("{name}, {most}: {fault}"));
            cut += usize::from(checked.header.chunks.len() > checked.header.claims.len());
            let joined = rewrite(&[split], &open, usize::MAX).expect("one chunk");
            let whole = check(&joined).unwrap_or_else(|fault| panic!("{name} joined: {fault}"));
            assert_eq!(whole.header.claims, checked.header.claims);
            assert_eq!(whole.header.chunks.len(), whole.header.claims.len());
        }
    }
    assert!(cut > 10, "only {cut} were cut");
}

#[test]
fn a_book_knows_every_position_that_its_strategy_meets() {
    let mut known = 0;
    for (name, file) in common::small() {
        let (header, _) = Header::read(file).expect("a header");
        let game = rules::open(&header.spec, header.sheet.as_deref()).expect("a game");
        let (checked, books) = Book::read(file, &*game).expect("valid");
        let steps: usize = books.iter().map(Book::len).sum();
        assert!(steps as u64 <= checked.positions + 2, "{name}");
        known += steps;
        for book in &books {
            for p in book.positions() {
                assert!(book.step(&*game, p, true).is_some());
            }
        }
    }
    assert!(known > 100, "{known} steps in all books");
}
