//! Random changes of good inputs: what a fuzzer does, without its eyes, for the plain tests.

use ludex_core::Rng;

/// A good input with a few changes: bytes flipped, put in, taken out, repeated, or taken from another good input.
#[must_use]
pub fn changed(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    const SIGNS: &[u8] = b"0123456789abcxoXOBW.,:/-=#?> \n\t\0\xff%&;()";
    let mut bytes = rng.pick(seeds).cloned().unwrap_or_default();
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let end = (at + rng.below(8)).min(bytes.len());
        match rng.below(6) {
            0 => bytes.insert(at, *rng.pick(SIGNS).expect("signs")),
            1 => bytes.insert(at, rng.next_u64() as u8),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.extend_from_within(at..end),
            4 => {
                let other = rng.pick(seeds).cloned().unwrap_or_default();
                let from = rng.below(other.len() + 1);
                bytes.splice(at..end, other[from..].iter().copied());
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.below(8);
                }
            }
        }
    }
    bytes
}
