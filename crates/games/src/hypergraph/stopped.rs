//! Why a side can complete no line any more, in words.

use ludex_core::Reason;

use crate::sentences;

use super::{Mask, Turn, pairing, potential};

/// Why the defender stops all lines, if a pairing or the potential shows it. `rests` is what the attacker lacks of
/// each live line; `name` is the name of a cell.
#[must_use]
pub fn stopped<M: Mask>(
    rests: &[M],
    turn: Turn,
    attacker: &str,
    defender: &str,
    name: impl Fn(usize) -> String,
) -> Option<Reason> {
    let sides = || [("attacker", attacker.into()), ("defender", defender.into())];
    let [a, d] = sides();
    if rests.is_empty() {
        return Some(sentences::STONE_IN_EACH.say(sides()).into());
    }
    if let Some((pairs, first)) = pairing::strategy(&pairing::minimal(rests.iter().copied()), turn) {
        let pairs: Vec<[String; 2]> = pairs.into_iter().map(|pair| pair.map(&name)).collect();
        let list: Vec<String> = pairs.iter().map(|[a, b]| format!("{a}–{b}")).collect();
        let listed = ("pairs", list.join(", ").into());
        let said = match first.map(|c| ("cell", name(c).into())) {
            Some(cell) if pairs.is_empty() => sentences::TAKES.say([a, d, cell]),
            Some(cell) => sentences::TAKES_PAIRS.say([a, d, cell, listed]),
            None => sentences::PAIRS.say([a, d, listed]),
        };
        return Some(Reason { said, cells: first.map(&name).into_iter().collect(), pairs });
    }
    potential::stops(rests, turn)
        .then(|| sentences::POTENTIAL_STOPS.say([a, d, ("n", rests.len().into())]).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(rests: &[u64], turn: Turn) -> Option<Reason> {
        stopped(rests, turn, "Maker", "Breaker", |c| c.to_string())
    }

    #[test]
    fn pairs_are_disjoint_and_each_lies_in_a_line() {
        let rests = [0b0011, 0b1100];
        let reason = reason(&rests, Turn::Attacker).expect("a pairing");
        assert_eq!(reason.pairs, [["0", "1"], ["2", "3"]].map(|p| p.map(String::from)));
    }

    #[test]
    fn the_free_move_is_named() {
        let reason = reason(&[0b0011, 0b0110, 0b11_0000], Turn::Defender).expect("a pairing");
        assert_eq!(reason.cells, ["1"]);
        assert_eq!(reason.pairs, [["4", "5"].map(String::from)]);
        assert!(reason.said.text.contains("takes 1 and then answers"), "{}", reason.said.text);
        let alone = self::reason(&[0b0011, 0b0110], Turn::Defender).expect("one cell is in both");
        assert!(alone.pairs.is_empty() && alone.said.text.ends_with("takes 1"), "{}", alone.said.text);
        assert_eq!(self::reason(&[0b1, 0b10], Turn::Defender), None);
    }

    #[test]
    fn a_small_potential_is_a_reason_too() {
        // Six lines of five through six cells: too many for pairs.
        let rests: Vec<u64> = (0..6).map(|c| 0b11_1111 & !(1 << c)).collect();
        let reason = reason(&rests, Turn::Attacker).expect("a potential");
        assert!(reason.pairs.is_empty() && reason.said.text.contains("Selfridge"), "{}", reason.said.text);
    }
}
