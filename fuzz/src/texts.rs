//! Texts: specs, positions, positional games, game records.

use std::sync::LazyLock;

use ludex_arena::record;
use ludex_core::{Rng, Spec};
use ludex_games::{
    positional::{self, Sheet},
    registry::FAMILIES,
};
use ludex_judge::{AnyGame, Registry};
use ludex_standard::Standard as _;

use crate::bounded;

/// Enough for the largest board, its geometry and its drawing, and for no table of a search.
const BOARD: usize = 64 << 20;

pub(crate) static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// A spec is written as it was read; a game's own spec makes the same game; and an error says what would be right.
pub(crate) fn spec(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(spec) = text.parse::<Spec>() {
        let written = spec.to_string();
        let again: Spec = written.parse().expect("what was written is read");
        assert_eq!((again.to_string(), again.positional()), (written, spec.positional()));
    }
    // A stranger's spec opens no file.
    match bounded(BOARD, || REGISTRY.open_foreign(text)) {
        Ok(game) => {
            let canonical = game.spec();
            let again = REGISTRY.open_foreign(&canonical).unwrap_or_else(|e| panic!("{canonical}: {e}"));
            assert_eq!(again.spec(), canonical, "{text}");
            assert_eq!(again.title(), game.title());
            let start = game.start(Some(1)).expect("a start");
            assert_eq!(again.view(&start).expect("a start"), game.view(&start).expect("a start"));
        }
        Err(error) => assert!(!error.message.is_empty() && !error.hint.is_empty(), "{error:?}"),
    }
}

pub(crate) fn specs() -> Vec<Vec<u8>> {
    let examples = FAMILIES.iter().flat_map(|family| family.examples.iter().chain(family.small));
    let aliases = FAMILIES.iter().flat_map(|family| family.aliases).map(|(word, _)| word);
    examples.chain(aliases).map(|text| text.as_bytes().to_vec()).collect()
}

/// The boards of a family. Drawing the largest takes milliseconds, which a fuzzer has not.
fn boards<const FAMILY: usize>() -> impl Iterator<Item = &'static str> {
    FAMILIES[FAMILY].small.iter().chain(FAMILIES[FAMILY].examples).copied()
}

/// The first byte chooses the board, the rest is a position.
pub(crate) fn position<const FAMILY: usize>(data: &[u8]) {
    let Some((&which, text)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let count = boards::<FAMILY>().count();
    let spec = boards::<FAMILY>().nth(usize::from(which) % count).expect("a board");
    let game = REGISTRY.open(spec).expect(spec);
    read_and_written(game.as_ref(), text);
}

/// What a position text is read as is written so that it is read as the same; every move leads to such a position; a
/// game that is over has no moves, and any other has some.
fn read_and_written(game: &dyn AnyGame, text: &str) {
    let view = match bounded(BOARD, || game.view(text)) {
        Ok(view) => view,
        Err(error) => {
            assert!(!error.message.is_empty() && !error.hint.is_empty(), "{text}: {error:?}");
            return;
        }
    };
    let at = format!("{} '{text}'", game.spec());
    assert_eq!(game.view(&view.position).unwrap_or_else(|e| panic!("{at}: {e}")), view, "{at}");
    assert_eq!(view.moves.is_empty(), view.over.is_some(), "{at}");
    assert!(!game.picture(text).expect("a picture").is_empty());
    for m in view.moves.iter().take(3).chain(view.moves.last()) {
        let next = game.play(&view.position, &m.text).unwrap_or_else(|e| panic!("{at}: {}: {e}", m.text));
        let after = game.view(&next).unwrap_or_else(|e| panic!("{at}, {}, {next}: {e}", m.text));
        assert_eq!(after.position, next, "{at}, {}", m.text);
        assert!(after.max_plies < view.max_plies, "{at}, {}", m.text);
    }
    if text.len() < 40 {
        let drawn = bounded(BOARD, || game.svg(text, None, Vec::new())).expect("a drawing");
        assert!(drawn.starts_with("<svg") && drawn.trim_end().ends_with("</svg>"), "{at}");
    }
}

pub(crate) fn positions<const FAMILY: usize>() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (i, spec) in boards::<FAMILY>().enumerate() {
        let game = REGISTRY.open(spec).expect(spec);
        let mut rng = Rng::new(i as u64);
        let mut text = game.start(Some(i as u64)).expect("a start");
        let mut moves = Vec::new();
        loop {
            seeds.push([&[i as u8], text.as_bytes()].concat());
            let view = game.view(&text).expect("a position");
            let Some(m) = rng.pick(&view.moves) else { break };
            moves.push(m.text.clone());
            text = game.play(&text, &m.text).expect("a legal move");
        }
        seeds.push([&[i as u8], b"moves:".as_slice(), moves.join(",").as_bytes()].concat());
    }
    seeds
}

/// A positional game is written as it was read, and can be played to its end.
pub(crate) fn positional_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let sheet = match bounded((1 << 20) | (data.len() * 64), || Sheet::read(text)) {
        Ok(sheet) => sheet,
        Err(error) => {
            assert!(error.message.starts_with("line ") && !error.hint.is_empty(), "{error:?}");
            return;
        }
    };
    let written = sheet.write();
    assert_eq!(Sheet::read(&written).as_ref(), Ok(&sheet), "{written}");
    // The process remembers every text it has been given.
    if data.len() > 400 {
        return;
    }
    let spec = positional::remember(text).expect("it was read");
    let Ok(game) = bounded(BOARD, || REGISTRY.open(&spec)) else { return };
    let mut rng = Rng::new(data.len() as u64);
    let mut at = game.start(None).expect("a start");
    loop {
        read_and_written(game.as_ref(), &at);
        let view = game.view(&at).expect("a position");
        let Some(m) = rng.pick(&view.moves) else { break };
        at = game.play(&at, &m.text).expect("a legal move");
    }
}

pub(crate) fn positional_files() -> Vec<Vec<u8>> {
    let texts = [
        "% a square\n#version 1\n#times\nt1 t2 t3\n#blackturns\nt1 t3\n#positions\na b c d\n#blackwins\na b % first\nb c\n\
         #blackinitials\nd\n#firstmoves\na b\n",
        "#times 1 2 3 4\n#blackturns 1 3\n#positions a b c d\n#blackwins a b\n#whitewins\nc d\na d\n#whiteinitials\n",
        "#times\n#blackturns\n#positions\nx\n#blackwins\nx\n#blackinitials\nx\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// A record is read as it is written, from its first reading on.
pub(crate) fn record(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match bounded((1 << 16) | (data.len() * 64), || record::read(text)) {
        Ok(games) => {
            let written: String = games.iter().map(|game| format!("{game}\n")).collect();
            assert_eq!(record::read(&written).as_ref(), Ok(&games), "{written}");
        }
        Err(error) => assert!(!error.message.is_empty() && !error.hint.is_empty(), "{error:?}"),
    }
}

pub(crate) fn records() -> Vec<Vec<u8>> {
    let texts = [
        "ludex-game: 1\nspec: nex:2x2\nround: 1.2\nfirst: level:2\nsecond: random\nmoves: Ba1?a2 Wb2?b1\nresult: draw\nreason: time\n",
        "# two games\nludex-game: 1\nspec: heap:5\nstart: 4\nmoves: 1 2\nresult: first wins\n\nludex-game: 1\nspec: heap:6\nmoves:\nother: x\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}
