//! Opening books: the exact values of every position of the first plies, up to symmetry.
//!
//! The positions of the last ply are searched, those before them follow from their moves. The work is the list of the
//! last ply's positions in order of their keys, so that neighbours share what the table remembers. While `FILE` is being
//! built, `FILE.part/values` holds a line `KEY CODE CHECKSUM` for every position that is done, so that a building that was
//! stopped goes on where it was. A line that is not what was written is searched again.

use std::{
    collections::{BTreeMap, HashMap, btree_map::Entry},
    fs::{File, OpenOptions},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use ludex_core::{Cancel, Code, Error, ErrorCode, Goal, Notation, Probe, Rng, Side, Stop, Tier, Value, hex};
use ludex_search::{Ask, retrograde::key_bytes, searches::Searches, table::Table};
use ludex_store::tablebase::{Builder, Heading, TableError, Tablebase, checksum};

use super::{Verified, Verifying, listing_error, on_all, stopped, verify::LISTED};
use crate::{OwnSearch, Spawner, Study, Terms};

/// What book to build.
pub struct BookOrder<'a> {
    /// Plies to cover.
    pub plies: u32,
    /// The file to write.
    pub file: &'a Path,
    /// Bytes for the searches' memory.
    pub memory: u64,
    /// Threads, each on a position of its own.
    pub threads: usize,
    /// How it is called off, who runs the workers.
    pub terms: &'a Terms,
    /// Told how many positions of the last ply are done, and of how many.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
    /// Who finds the values of positions, in place of this process.
    pub elsewhere: Option<&'a Elsewhere<'a>>,
}

/// Finds the exact value of every position of a list.
pub type Elsewhere<'a> = dyn Fn(&[String]) -> Result<Vec<Value>, Error> + Sync + 'a;

/// The unfinished positions after so many plies, up to symmetry. Their numbers are found by the bytes of their keys, so that
/// one map serves all games.
struct Layer<P> {
    numbers: BTreeMap<Vec<u8>, usize>,
    positions: Vec<P>,
    /// What they are worth.
    codes: Vec<Code>,
}

impl<P> Layer<P> {
    fn new() -> Self {
        Self { numbers: BTreeMap::new(), positions: Vec::new(), codes: Vec::new() }
    }

    fn add(&mut self, key: Vec<u8>, p: P) {
        if let Entry::Vacant(place) = self.numbers.entry(key) {
            place.insert(self.positions.len());
            self.positions.push(p);
            self.codes.push(Code::UNKNOWN);
        }
    }

    fn len(&self) -> usize {
        self.positions.len()
    }
}

/// Stops when cancelled.
struct Until<'a>(&'a Cancel);

impl Probe for Until<'_> {
    fn check(&self, _: u64) -> Option<Stop> {
        self.0.is_cancelled().then_some(Stop::Cancelled)
    }
}

/// What the positions of the last ply are searched with: the game's own solver, or the generic one.
enum Searcher<'a, G: Notation> {
    Own(Box<dyn OwnSearch<G>>),
    Generic(&'a dyn Searches<G>, Table<G::Key>),
}

impl<'a, G: Notation> Searcher<'a, G> {
    fn new(game: &G, study: &'a dyn Study<G>, memory: u64) -> Result<Self, Error> {
        Ok(match study.solver() {
            Some(own) => Self::Own(own.prepare(game, memory)?),
            None => Self::Generic(study.searches(), Table::new(memory, game.key_bits())),
        })
    }

    /// The exact value of a position, unless it was stopped.
    fn value(&self, game: &G, p: &G::Position, probe: &dyn Probe) -> Result<Option<Value>, Error> {
        let ask = Ask { game, position: *p, goal: Goal::Distance, probe, worker: 0 };
        match self {
            Self::Own(own) => own.value(&ask),
            Self::Generic(searches, table) => Ok(searches.alphabeta(&ask, table)?.bounds.value()),
        }
    }
}

/// Told of every value that was found: its key, the value, how many are done, and of how many.
type Found<'a> = dyn Fn(&[u8], Code, usize, usize) + Sync + 'a;

/// How a book is worked out.
struct Work<'a, G: Notation> {
    game: &'a G,
    searcher: Searcher<'a, G>,
    /// Values of the last ply that are known already, by key.
    known: HashMap<Vec<u8>, Code>,
    threads: usize,
    spawner: &'a dyn Spawner,
    cancel: &'a Cancel,
    found: &'a Found<'a>,
    elsewhere: Option<&'a Elsewhere<'a>>,
}

/// Build a book, or go on with one. `game` is one made for the distance.
pub(super) fn build<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    order: &BookOrder<'_>,
) -> Result<Tablebase, Error> {
    let root = game.root().ok_or_else(|| {
        let message = format!("{} begins with a deal, and a book with a start", game.spec());
        Error::new(ErrorCode::NoStart, message, "name the deal in the spec")
    })?;
    order.check(&game.spec(), game.max_plies(&root))?;
    let searcher = Searcher::new(game, study, order.memory)?;
    let listed = list(game, order.plies, order.memory)?;
    let heading = Heading {
        spec: game.spec(),
        numbering: "keys".into(),
        key_bytes: game.key_bits().div_ceil(8) as usize,
        block: 1 << 12,
        plies: Some(order.plies),
        ..Heading::default()
    };
    let (part, known) = Part::open(order, &heading)?;
    let found = |key: &[u8], code: Code, done: usize, of: usize| {
        part.note(key, code);
        (order.progress)(done, of);
    };
    let Terms { spawner, cancel, .. } = order.terms;
    let (threads, elsewhere) = (order.threads, order.elsewhere);
    let work = Work { game, searcher, known, threads, spawner: &**spawner, cancel, found: &found, elsewhere };
    let built = work.out(listed);
    let builder = part.close()?;
    let layers = built?;
    // As in other tables, moves lead to earlier tiers.
    for (tier, layer) in layers.iter().rev().enumerate() {
        let first = layer.positions.first();
        let same = |side: &Side| layer.positions.iter().all(|p| game.side(p) == *side);
        let side = first.map(|p| game.side(p)).filter(same);
        put(&builder, tier, (first.map_or(0, |p| game.rank(p)), side), &layer.numbers, &layer.codes)?;
    }
    Ok(builder.finish(layers.len())?)
}

/// Put a layer into the file.
fn put(
    builder: &Builder,
    tier: usize,
    (rank, side): (u32, Option<Side>),
    numbers: &BTreeMap<Vec<u8>, usize>,
    codes: &[Code],
) -> Result<(), Error> {
    let keys: Vec<u8> = numbers.keys().flatten().copied().collect();
    let values: Vec<u8> = numbers.values().map(|&i| codes[i].0).collect();
    Ok(builder.put(tier, &format!("rank {rank}{}", Tier::turn(side)), &values, &keys)?)
}

impl BookOrder<'_> {
    /// Whether there can be such a book of a game that lasts at most so many plies.
    fn check(&self, spec: &str, longest: u32) -> Result<(), Error> {
        if !(1..longest).contains(&self.plies) {
            return Err(Error::new(
                ErrorCode::BadDepth,
                format!("{spec} has no book of {} plies", self.plies),
                format!("1 to {} plies", longest.saturating_sub(1)),
            ));
        }
        if longest > Code::MAX_PLIES {
            let most = Code::MAX_PLIES;
            let what = format!("games of {spec} may last longer than the {most} plies a book can tell");
            return Err(Error::spec(what, "take a smaller board"));
        }
        if self.file.is_dir() {
            let what = format!("{} is a folder", self.file.display());
            return Err(Error::new(ErrorCode::BadFile, what, "name the file to write"));
        }
        Ok(())
    }
}

/// A book that is being built.
struct Part<'a> {
    builder: Builder,
    path: PathBuf,
    /// The file of values, until a line could not be written whole.
    file: Mutex<io::Result<File>>,
    cancel: &'a Cancel,
}

impl<'a> Part<'a> {
    /// Begin it or go on with it, and what was found so far.
    fn open(order: &BookOrder<'a>, heading: &Heading) -> Result<(Self, HashMap<Vec<u8>, Code>), Error> {
        let builder = Builder::open(order.file, heading)?;
        let path = builder.folder().join("values");
        match open_part(&path) {
            Ok((known, file)) => {
                Ok((Self { builder, path, file: Mutex::new(Ok(file)), cancel: &order.terms.cancel }, known))
            }
            Err(error) => Err(TableError::Io { path, error }.into()),
        }
    }

    /// Write down what was found. If that cannot be done, the building is called off.
    fn note(&self, key: &[u8], code: Code) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let line = format!("{} {}", hex(key), code.0);
        let line = format!("{line} {:08x}\n", checksum(line.as_bytes()));
        if let Some(Err(e)) = file.as_mut().ok().map(|file| file.write_all(line.as_bytes())) {
            *file = Err(e);
            self.cancel.cancel();
        }
    }

    /// What the tiers are written with, unless a value could not be.
    fn close(self) -> Result<Builder, Error> {
        match self.file.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Ok(_) => Ok(self.builder),
            Err(error) => Err(TableError::Io { path: self.path, error }.into()),
        }
    }
}

/// The positions of the first plies, not yet worth anything, if the memory can list them.
fn list<G: Notation>(game: &G, plies: u32, memory: u64) -> Result<Vec<Layer<G::Position>>, Error> {
    let entry = size_of::<(Vec<u8>, G::Position, Code)>() + game.key_bits().div_ceil(8) as usize;
    layers(game, plies, (memory / 3) as usize / entry).ok_or_else(|| listing_error(memory))
}

fn key<G: Notation>(game: &G, p: &G::Position) -> Vec<u8> {
    key_bytes(game.key(p), game.key_bits())
}

/// The layers of the first `plies` plies; `None` if they hold more than `most` positions.
fn layers<G: Notation>(game: &G, plies: u32, most: usize) -> Option<Vec<Layer<G::Position>>> {
    let mut first = Layer::new();
    if let Some(root) = game.root() {
        first.add(key(game, &root), root);
    }
    let mut layers = vec![first];
    let mut listed = 1;
    for _ in 0..plies {
        let mut next = Layer::new();
        for p in layers.last().map_or(&[][..], |last| &last.positions) {
            game.each_move(p, |m| {
                let child = game.play(p, m);
                if game.outcome(&child).is_none() {
                    next.add(key(game, &child), child);
                }
            });
            if listed + next.len() > most {
                return None;
            }
        }
        listed += next.len();
        layers.push(next);
    }
    Some(layers)
}

impl<G: Notation> Work<'_, G> {
    /// Say what all positions of the layers are worth.
    fn out(&self, mut layers: Vec<Layer<G::Position>>) -> Result<Vec<Layer<G::Position>>, Error> {
        if let Some(last) = layers.last_mut() {
            self.search(last)?;
        }
        let game = self.game;
        for ply in (0..layers.len().saturating_sub(1)).rev() {
            let (before, after) = layers.split_at_mut(ply + 1);
            let Layer { positions, codes, .. } = &mut before[ply];
            for (p, code) in positions.iter().zip(codes) {
                let side = game.side(p);
                game.each_move(p, |m| {
                    let child = game.play(p, m);
                    let worth = match game.outcome(&child) {
                        Some(outcome) => Code::of(Value::ended(outcome)),
                        None => after[0].codes[after[0].numbers[&key(game, &child)]],
                    };
                    let worth = if game.side(&child) == side { worth.later() } else { worth.back() };
                    *code = (*code).max(worth);
                });
            }
        }
        Ok(layers)
    }

    /// Search what is not known of a layer.
    fn search(&self, layer: &mut Layer<G::Position>) -> Result<(), Error> {
        let of = layer.len();
        let Layer { numbers, positions, codes } = layer;
        let mut todo: Vec<(&[u8], usize)> = Vec::new();
        for (key, &i) in &*numbers {
            match self.known.get(key) {
                Some(known) => codes[i] = *known,
                None => todo.push((key, i)),
            }
        }
        if let Some(elsewhere) = self.elsewhere {
            let texts: Vec<String> =
                todo.iter().map(|&(_, i)| self.game.position_text(&positions[i])).collect();
            let known = of - todo.len();
            for (n, (&(key, i), value)) in todo.iter().zip(elsewhere(&texts)?).enumerate() {
                codes[i] = Code::of(value);
                (self.found)(key, codes[i], known + n + 1, of);
            }
            return Ok(());
        }
        let (done, next) = (AtomicUsize::new(of - todo.len()), AtomicUsize::new(0));
        let (codes, fault) = (Mutex::new(codes), Mutex::new(None));
        let worker = |_| {
            while let Some(&(key, i)) = todo.get(next.fetch_add(1, Relaxed)) {
                match self.searcher.value(self.game, &positions[i], &Until(self.cancel)) {
                    Ok(Some(value)) => {
                        let code = Code::of(value);
                        codes.lock().unwrap_or_else(PoisonError::into_inner)[i] = code;
                        (self.found)(key, code, done.fetch_add(1, Relaxed) + 1, of);
                    }
                    Ok(None) => *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(stopped()),
                    Err(e) => *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(e),
                }
                if fault.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
                    break;
                }
            }
        };
        on_all(self.spawner, self.threads, &worker)?;
        fault.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// What was found so far, and the file to go on with. A line that was not written whole is cut off.
fn open_part(part: &Path) -> io::Result<(HashMap<Vec<u8>, Code>, File)> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(part)?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    file.set_len(whole as u64)?;
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let known = text[..whole]
        .lines()
        .filter_map(|line| line.rsplit_once(' '))
        .filter(|(line, sum)| u32::from_str_radix(sum, 16) == Ok(checksum(line.as_bytes())))
        .filter_map(|(line, _)| line.split_once(' '))
        .filter_map(|(key, code)| {
            let key: Option<Vec<u8>> = key.as_bytes().chunks(2).map(byte).collect();
            Some((key?, Code(code.parse().ok()?)))
        })
        .filter(|(_, code)| code.value().is_some());
    Ok((known.collect(), file))
}

/// Search the positions of a book's last ply again, or so many random ones of them, and derive all others from them.
pub(crate) fn verify<G: Notation>(
    game: &G,
    study: &dyn Study<G>,
    table: &Tablebase,
    how: &Verifying<'_>,
) -> Result<Verified, Error> {
    let plies = table.heading().plies.unwrap_or(0);
    let said = read_layers(table)?;
    let positions = table.entries();
    // A forged heading may name any number of plies.
    let listed = if said.len() == plies as usize + 1 { Some(list(game, plies, how.memory)?) } else { None };
    let same = |listed: &Vec<Layer<G::Position>>| {
        said.iter().zip(listed).all(|(a, b)| a.keys().eq(b.numbers.keys()))
    };
    let Some(listed) = listed.filter(same) else {
        let wrong = ("its list".into(), "these keys".into(), "the keys of what can be reached".into());
        return Ok(Verified { checked: 0, positions, wrong: vec![wrong] });
    };
    let known = taken_as_said(said.last(), how);
    let checked = positions - known.len() as u64;
    let work = Work {
        game,
        searcher: Searcher::new(game, study, how.memory)?,
        known,
        threads: how.threads,
        spawner: how.spawner,
        cancel: how.cancel,
        found: &|_, _, done, of| (how.progress)(done as u64, of as u64),
        elsewhere: None,
    };
    let rules = work.out(listed)?;
    let mut wrong = Vec::new();
    for (said, rules) in said.iter().zip(&rules) {
        differing(said, &rules.numbers, &rules.codes, &mut wrong, &|i| {
            game.position_text(&rules.positions[i])
        });
    }
    Ok(Verified { checked, positions, wrong })
}

/// The values of the last ply that are not searched again.
fn taken_as_said(last: Option<&BTreeMap<Vec<u8>, Code>>, how: &Verifying<'_>) -> HashMap<Vec<u8>, Code> {
    let (Some(last), Some(sample)) = (last, how.sample) else { return HashMap::new() };
    let keys: Vec<&Vec<u8>> = last.keys().collect();
    let mut known: HashMap<Vec<u8>, Code> = last.clone().into_iter().collect();
    let mut rng = Rng::new(how.seed);
    let wanted = (keys.len() as u64).saturating_sub(sample) as usize;
    while known.len() > wanted {
        known.remove(keys[rng.below(keys.len())]);
    }
    known
}

/// Add what a book says otherwise than the rules, up to a number.
fn differing(
    said: &BTreeMap<Vec<u8>, Code>,
    numbers: &BTreeMap<Vec<u8>, usize>,
    codes: &[Code],
    wrong: &mut Vec<(String, String, String)>,
    position: &dyn Fn(usize) -> String,
) {
    let text = |code: Code| code.value().map_or("unknown".into(), |v| v.to_string());
    for (key, &i) in numbers {
        let (says, should) = (said[key], codes[i]);
        if says != should && wrong.len() < LISTED {
            wrong.push((position(i), text(says), text(should)));
        }
    }
}

/// The values of a book by ply and key.
fn read_layers(table: &Tablebase) -> Result<Vec<BTreeMap<Vec<u8>, Code>>, Error> {
    let mut layers = Vec::new();
    for tier in (0..table.tiers().len()).rev() {
        let mut layer = BTreeMap::new();
        table.each(tier, |_, key, raw| {
            layer.insert(key.to_vec(), Code(raw as u8));
        })?;
        layers.push(layer);
    }
    Ok(layers)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever is left of the last line, nothing is taken from it, and nothing is joined to it.
    #[test]
    fn a_torn_line_is_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let part = folder.path().join("values");
        let line = |text: &str| format!("{text} {:08x}\n", checksum(text.as_bytes()));
        // The third one is not what was written.
        let whole = format!("{}{}0012 128 00000000\n", line("0011 128"), line("00e6 254"));
        let (torn, next) = (line("1267 3"), line("0008 1"));
        for end in 0..torn.len() {
            std::fs::write(&part, format!("{whole}{}", &torn[..end])).expect("written");
            let (known, mut file) = open_part(&part).expect("opened");
            assert_eq!(known, HashMap::from([(vec![0, 0x11], Code(128)), (vec![0, 0xe6], Code(254))]));
            file.write_all(next.as_bytes()).expect("written");
            assert_eq!(std::fs::read_to_string(&part).expect("text"), format!("{whole}{next}"));
        }
    }
}
