//! Books on disk: built bit by bit, so that a building that is stopped goes on where it was, and verified.
//!
//! While `FILE` is being built, `FILE.part/values` holds a line `KEY CODE` for every position of the last ply that is
//! done.

use std::{
    any::Any,
    collections::{BTreeMap, HashMap},
    fs::{File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::Path,
    sync::{Mutex, PoisonError},
};

use ludex_core::{Cancel, Code, Game, InputError, Notation, Playable, Probe, Rng, Side, Stop};
use ludex_games::{
    connect4::{Board, Connect4, Shape, Sized, Standard},
    registry::{self, Visitor},
};
use ludex_search::retrograde::key_bytes;
use ludex_store::tablebase::{Builder, Heading, TableError, Tablebase};

use super::{
    build::{Building, Layer, build, layers},
    memory::Packed,
};
use crate::table::{LISTED, TableFault, Verified, Verifying, turn};

/// What a building is to do.
pub struct BookJob<'a> {
    /// The game.
    pub spec: &'a str,
    /// Plies to cover.
    pub plies: u32,
    /// The file to write.
    pub file: &'a Path,
    /// Bytes for the searches' memory.
    pub memory: u64,
    /// Threads, each on a position of its own.
    pub threads: usize,
    /// Raised to stop.
    pub cancel: &'a Cancel,
    /// Told how many positions of the last ply are done, and of how many.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
}

/// Stops when cancelled.
struct Until<'a>(&'a Cancel);

impl Probe for Until<'_> {
    fn check(&self, _: u64) -> Option<Stop> {
        self.0.is_cancelled().then_some(Stop::Cancelled)
    }
}

/// Something to do with a board that can have a book.
trait With {
    type Output;
    fn run<S: Shape<Word = u64>>(self, game: &Connect4<S>) -> Result<Self::Output, TableFault>;
}

fn on_board<W: With>(spec: &str, with: W) -> Result<W::Output, TableFault> {
    struct Visit<'a, W>(&'a str, W);
    impl<W: With> Visitor for Visit<'_, W> {
        type Output = Result<W::Output, TableFault>;
        fn visit<G: Playable>(self, game: G) -> Self::Output {
            let any: &dyn Any = &game;
            if let Some(game) = any.downcast_ref::<Connect4<Standard>>() {
                self.1.run(game)
            } else if let Some(game) = any.downcast_ref::<Connect4<Sized<u64>>>() {
                self.1.run(game)
            } else {
                let what = format!("'{}' has no opening book", self.0);
                Err(InputError::spec(what, "connect4 or connect4:WxH with W·(H+1) at most 64").into())
            }
        }
    }
    registry::visit(&spec.parse()?, Visit(spec, with))?
}

fn memory<S: Shape<Word = u64>>(game: &Connect4<S>, bytes: u64) -> Result<Packed, InputError> {
    Packed::new(bytes, game.key_bits()).ok_or_else(|| {
        InputError::new("bad_memory", format!("{bytes} bytes are too few"), "give 64MiB or more")
    })
}

/// Build a book, or go on with one.
///
/// # Errors
/// If the game is none whose books can be built, a file fails, or it was called off.
pub fn build_file(job: &BookJob<'_>) -> Result<Tablebase, TableFault> {
    struct Build<'a>(&'a BookJob<'a>);
    impl With for Build<'_> {
        type Output = Tablebase;
        fn run<S: Shape<Word = u64>>(self, game: &Connect4<S>) -> Result<Tablebase, TableFault> {
            build_on(game, self.0)
        }
    }
    on_board(job.spec, Build(job))
}

fn build_on<S: Shape<Word = u64>>(game: &Connect4<S>, job: &BookJob<'_>) -> Result<Tablebase, TableFault> {
    let cells = game.root().map_or(0, |root| game.max_plies(&root));
    if !(1..cells).contains(&job.plies) {
        let what = format!("{} has no book of {} plies", game.spec(), job.plies);
        return Err(InputError::new("bad_depth", what, format!("1 to {} plies", cells - 1)).into());
    }
    if job.file.is_dir() {
        let what = format!("{} is a folder", job.file.display());
        return Err(InputError::new("bad_file", what, "name the file to write").into());
    }
    let memory = memory(game, job.memory)?;
    let listed = list(game, job.plies, job.memory)?;
    let heading = Heading {
        spec: game.spec(),
        numbering: "keys".into(),
        key_bytes: game.key_bits().div_ceil(8) as usize,
        block: 1 << 12,
        plies: Some(job.plies),
        ..Heading::default()
    };
    let builder = Builder::open(job.file, &heading)?;
    let part = builder.folder().join("values");
    let fault = |error| TableError::Io { path: part.clone(), error };
    let (known, file) = open_part(&part).map_err(fault)?;
    // The file, until a line could not be written whole.
    let file = Mutex::new(Ok(file));
    let found = |key: u64, code: Code, done: usize, of: usize| {
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let line = format!("{key} {}\n", code.0);
        if let Some(Err(e)) = file.as_mut().ok().map(|file| file.write_all(line.as_bytes())) {
            *file = Err(e);
            job.cancel.cancel();
        }
        (job.progress)(done, of);
    };
    let building =
        Building { known, memory: &memory, threads: job.threads, probe: &Until(job.cancel), found: &found };
    let built = build(game, listed, &building);
    file.into_inner().unwrap_or_else(PoisonError::into_inner).map_err(fault)?;
    let layers = built.ok_or(TableFault::Stopped(Stop::Cancelled))?;
    // As in other tables, moves lead to earlier tiers.
    for (tier, (ply, layer)) in layers.iter().enumerate().rev().enumerate() {
        let keys: Vec<u8> = layer.keys().flat_map(|key| key_bytes(*key, game.key_bits())).collect();
        let values: Vec<u8> = layer.values().map(|(_, code)| code.0).collect();
        let side = if ply % 2 == 0 { Side::First } else { Side::Second };
        builder.put(tier, &format!("rank {ply}{}", turn(Some(side))), &values, &keys)?;
    }
    Ok(builder.finish(layers.len())?)
}

/// The positions of the first plies, as many as the memory allows.
fn list<S: Shape<Word = u64>>(game: &Connect4<S>, plies: u32, memory: u64) -> Result<Vec<Layer>, TableFault> {
    let most = memory / 3 / size_of::<(u64, Board<u64>, Code)>() as u64;
    layers(game, plies, most as usize).ok_or(TableFault::Listing { given: memory })
}

/// What was found so far, and the file to go on with. A line that was not written whole is cut off.
fn open_part(part: &Path) -> io::Result<(HashMap<u64, Code>, File)> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(part)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64)?;
    let known = text[..whole]
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(key, code)| Some((key.parse().ok()?, Code(code.parse().ok()?))))
        .filter(|(_, code)| code.value().is_some());
    Ok((known.collect(), file))
}

/// Search the positions of a book's last ply again, or so many random ones of them, and derive all others from them.
pub(crate) fn verify(table: &Tablebase, how: &Verifying<'_>) -> Result<Verified, TableFault> {
    struct Verify<'a>(&'a Tablebase, &'a Verifying<'a>);
    impl With for Verify<'_> {
        type Output = Verified;
        fn run<S: Shape<Word = u64>>(self, game: &Connect4<S>) -> Result<Verified, TableFault> {
            verify_on(game, self.0, self.1)
        }
    }
    on_board(&table.heading().spec, Verify(table, how))
}

fn verify_on<S: Shape<Word = u64>>(
    game: &Connect4<S>,
    table: &Tablebase,
    how: &Verifying<'_>,
) -> Result<Verified, TableFault> {
    let plies = table.heading().plies.unwrap_or(0);
    let said = read_layers(table)?;
    let positions = table.entries();
    // A forged heading may name any number of plies.
    let listed = if said.len() == plies as usize + 1 { Some(list(game, plies, how.memory)?) } else { None };
    let same = |listed: &Vec<Layer>| said.iter().zip(listed).all(|(a, b)| a.keys().eq(b.keys()));
    let Some(listed) = listed.filter(same) else {
        let wrong = ("its list".into(), "these keys".into(), "the keys of what can be reached".into());
        return Ok(Verified { checked: 0, positions, wrong: vec![wrong] });
    };
    let mut known = said.last().cloned().unwrap_or_default();
    let last = known.len() as u64;
    match how.sample {
        None => known.clear(),
        Some(sample) => {
            let keys: Vec<u64> = known.keys().copied().collect();
            let mut rng = Rng::new(how.seed);
            let wanted = last.saturating_sub(sample) as usize;
            while known.len() > wanted {
                known.remove(&keys[rng.below(keys.len())]);
            }
        }
    }
    let checked = positions - known.len() as u64;
    let memory = memory(game, how.memory)?;
    let building = Building {
        known: known.into_iter().collect(),
        memory: &memory,
        threads: how.threads,
        probe: &Until(how.cancel),
        found: &|_, _, done, of| (how.progress)(done as u64, of as u64),
    };
    let rules = build(game, listed, &building).ok_or(TableFault::Stopped(Stop::Cancelled))?;
    let text = |code: Code| code.value().map_or("unknown".into(), |v| v.to_string());
    let wrong = |said: &BTreeMap<u64, Code>, rules: &Layer| {
        rules
            .iter()
            .map(|(key, (p, should))| (p, said[key], *should))
            .filter(|(_, says, should)| says != should)
            .map(|(p, says, should)| (game.position_text(p), text(says), text(should)))
            .collect::<Vec<_>>()
    };
    let wrong = said.iter().zip(&rules).flat_map(|(said, rules)| wrong(said, rules)).take(LISTED).collect();
    Ok(Verified { checked, positions, wrong })
}

/// The values of a book by ply and key.
fn read_layers(table: &Tablebase) -> Result<Vec<BTreeMap<u64, Code>>, TableFault> {
    let mut layers = Vec::new();
    for tier in (0..table.tiers().len()).rev() {
        let mut layer = BTreeMap::new();
        table.each(tier, |_, key, raw| {
            layer.insert(key.iter().fold(0, |n, &byte| n << 8 | u64::from(byte)), Code(raw as u8));
        })?;
        layers.push(layer);
    }
    Ok(layers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_building_that_was_stopped_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("small.book");
        let cancel = Cancel::new();
        let job = |progress, cancel| BookJob {
            spec: "connect4:5x4",
            plies: 3,
            file: &file,
            memory: 1 << 22,
            threads: 1,
            cancel,
            progress,
        };
        let stop_soon = |done, _| {
            if done >= 5 {
                cancel.cancel();
            }
        };
        // Whether the flag is seen in time is up to the searches; what was found is kept either way.
        match build_file(&job(&stop_soon, &cancel)) {
            Err(TableFault::Stopped(_)) => {
                let (kept, _) = open_part(&folder.path().join("small.book.part/values")).expect("kept");
                assert!(kept.len() >= 5);
            }
            done => drop(done.expect("no fault")),
        }
        let book = build_file(&job(&|_, _| (), &Cancel::new())).expect("no fault");
        assert_eq!((book.heading().spec.as_str(), book.heading().plies), ("connect4:5x4", Some(3)));
        assert!(!folder.path().join("small.book.part").exists());
        let cancel = Cancel::new();
        let verified = verify(&book, &Verifying::whole(1 << 22, &cancel)).expect("whole");
        assert_eq!((verified.checked, verified.wrong.len()), (book.entries(), 0));
    }

    /// Whatever is left of the last line, nothing is taken from it, and nothing is joined to it.
    #[test]
    fn a_torn_line_is_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let part = folder.path().join("values");
        let whole = "17 128\n230 254\n";
        let torn = "4711 3\n";
        for end in 0..torn.len() {
            std::fs::write(&part, format!("{whole}{}", &torn[..end])).expect("written");
            let (known, mut file) = open_part(&part).expect("opened");
            assert_eq!(known, HashMap::from([(17, Code(128)), (230, Code(254))]));
            file.write_all(b"8 1\n").expect("written");
            assert_eq!(std::fs::read_to_string(&part).expect("text"), format!("{whole}8 1\n"));
        }
    }

    #[test]
    fn what_cannot_be_a_book_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let job = |spec, plies, file| BookJob {
            spec,
            plies,
            file,
            memory: 1 << 22,
            threads: 1,
            cancel: Box::leak(Box::default()),
            progress: &|_, _| (),
        };
        let file = folder.path().join("no.book");
        for (spec, plies, file, code) in [
            ("heap:9", 3, file.as_path(), "bad_spec"),
            ("connect4:4x4", 16, &file, "bad_depth"),
            ("connect4:4x4", 0, &file, "bad_depth"),
            ("connect4:4x4", 3, folder.path(), "bad_file"),
        ] {
            let fault = build_file(&job(spec, plies, file)).expect_err("refused");
            assert_eq!(fault.code(), code, "{spec} {plies}");
        }
        let fault = build_file(&job("connect4", 14, &file)).expect_err("too many positions");
        assert_eq!(fault.code(), "out_of_memory");
        assert!(std::fs::read_dir(folder.path()).expect("a folder").next().is_none(), "nothing is left");
    }
}
