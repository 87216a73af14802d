//! A numbering for any game: the positions that can be reached from its start, sorted by key.

use std::{cmp::Ordering, collections::BTreeMap};

use ludex_core::{ByRank, Game, Key, Numbering, Place, Probe, Stop, Tier};

use crate::meter::Meter;

/// A position with its key.
type Entry<G> = (<G as Game>::Key, <G as Game>::Position);

/// Every position that can be reached, one for each key, in tiers of equal rank, the last first.
#[derive(Debug)]
pub struct Keyed<G: Game> {
    game: G,
    tiers: Vec<Tier>,
    entries: Vec<Vec<Entry<G>>>,
    by_rank: BTreeMap<u32, usize>,
}

/// A key as bytes whose order is that of the numbers they stand for.
#[must_use]
pub fn key_bytes<K: Key>(key: K, bits: u32) -> Vec<u8> {
    let words = key.words();
    let little: Vec<u8> = words.as_ref().iter().flat_map(|w| w.to_le_bytes()).collect();
    little[..bits.div_ceil(8) as usize].iter().rev().copied().collect()
}

fn compare<K: Key>(a: K, b: K) -> Ordering {
    a.words().as_ref().iter().rev().cmp(b.words().as_ref().iter().rev())
}

/// Positions of a rank that has yet to come, some of them more than once, and how many there were when duplicates were last
/// sorted out.
struct Open<G: Game> {
    list: Vec<Entry<G>>,
    tidied: usize,
}

impl<G: Game> Default for Open<G> {
    fn default() -> Self {
        Self { list: Vec::new(), tidied: 1 << 16 }
    }
}

fn tidy<G: Game>(list: &mut Vec<Entry<G>>) {
    list.sort_unstable_by(|a, b| compare(a.0, b.0));
    list.dedup_by(|a, b| a.0 == b.0);
}

impl<G: Game> Keyed<G> {
    /// List everything that can be reached from a position, in at most so many bytes.
    ///
    /// # Errors
    /// If the memory does not suffice, or the probe says stop.
    pub fn reach(game: &G, start: &G::Position, memory: u64, probe: &dyn Probe) -> Result<Self, Stop> {
        let most = memory as usize / size_of::<Entry<G>>();
        let mut open: ByRank<Open<G>> = ByRank::default();
        open.at(game.rank(start)).list.push((game.key(start), *start));
        let mut meter = Meter::new(probe);
        let mut layers = Vec::new();
        let mut listed = 0;
        while let Some((rank, Open { list: mut layer, .. })) = open.pop_first() {
            tidy::<G>(&mut layer);
            listed += layer.len();
            for (i, (_, p)) in layer.iter().enumerate() {
                if game.outcome(p).is_some() {
                    continue;
                }
                let moves = game.moves(p);
                meter.spend(2 * moves.len())?;
                for m in moves {
                    let child = game.play(p, m);
                    open.at(game.rank(&child)).list.push((game.key(&child), child));
                }
                if i % 1024 == 0 {
                    if let Some(stop) = probe.check(1024) {
                        return Err(stop);
                    }
                    // Sorting out duplicates pays once a list has doubled.
                    let mut waiting = 0;
                    for Open { list, tidied } in open.things() {
                        if list.len() > 2 * *tidied {
                            tidy::<G>(list);
                            *tidied = list.len().max(1 << 16);
                        }
                        waiting += list.len();
                    }
                    if listed + waiting > most {
                        return Err(Stop::Memory);
                    }
                }
            }
            layer.shrink_to_fit();
            layers.push((rank, layer));
        }
        if listed > most {
            return Err(Stop::Memory);
        }
        let mut keyed =
            Self { game: game.clone(), tiers: Vec::new(), entries: Vec::new(), by_rank: BTreeMap::new() };
        for (rank, layer) in layers.into_iter().rev() {
            let tier = keyed.tiers.len();
            let side = layer.first().map(|(_, p)| game.side(p));
            keyed.tiers.push(Tier {
                name: format!("rank {rank}"),
                len: layer.len() as u64,
                leads_to: (0..tier).collect(),
                side: side.filter(|side| layer.iter().all(|(_, p)| game.side(p) == *side)),
            });
            keyed.by_rank.insert(rank, tier);
            keyed.entries.push(layer);
        }
        Ok(keyed)
    }
}

/// A numbering by keys.
pub trait ByKey<G: Game>: Numbering<G> {
    /// The keys of a tier as bytes, in ascending order.
    fn keys(&self, tier: usize) -> Vec<u8>;

    /// Bytes of one key.
    fn key_len(&self) -> usize;

    /// Bytes taken by the list of positions.
    fn memory(&self) -> u64;
}

impl<G: Game> ByKey<G> for Keyed<G> {
    fn keys(&self, tier: usize) -> Vec<u8> {
        let bits = self.game.key_bits();
        self.entries[tier].iter().flat_map(|(key, _)| key_bytes(*key, bits)).collect()
    }

    fn key_len(&self) -> usize {
        self.game.key_bits().div_ceil(8) as usize
    }

    fn memory(&self) -> u64 {
        self.entries.iter().map(|e| (e.len() * size_of::<Entry<G>>()) as u64).sum()
    }
}

impl<G: Game> Numbering<G> for Keyed<G> {
    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    fn place(&self, p: &G::Position) -> Option<Place> {
        let &tier = self.by_rank.get(&self.game.rank(p))?;
        let key = self.game.key(p);
        let index = self.entries[tier].binary_search_by(|entry| compare(entry.0, key)).ok()?;
        Some(Place { tier, index: index as u64 })
    }

    fn position(&self, place: Place) -> G::Position {
        self.entries[place.tier][place.index as usize].1
    }
}
