//! The opening book that is part of the program.

use ludex_judge::{Cancel, table::Verifying};
use ludex_standard::open;

/// Of all positions of its plies, and of no others, the book says what the positions after them say.
#[test]
fn the_programs_book_follows_from_its_last_ply() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("standard.book");
    std::fs::write(&file, include_bytes!("../../studies/src/connect4/standard.book")).expect("written");
    let cancel = Cancel::new();
    let how = Verifying { sample: Some(0), ..Verifying::whole(1 << 27, &cancel) };
    let verified = open("connect4").expect("a game").tables().verify(&file, &how).expect("whole");
    assert_eq!(verified.wrong, []);
    assert!(verified.checked > 1000);
}
