//! All deals in one table: a value for each class of deals, in tiers of one distance between the pawns each.
//!
//! Positions after a move have no number, so that the values are not derived from each other but searched, each by
//! itself, by [`Fast`]; the check of a table searches again with nothing but the rules.

use ludex_core::{Code, Known, Numbering, Place, Tier, conformance::Minimax};

use ludex_games::collapsi::{Classes, Collapsi, Position};

use super::Fast;

/// Classes in a tier, which is what an interrupted build loses.
const PART: usize = 1 << 16;

/// The numbering of the deals of a board by [`Classes`].
#[derive(Clone, Debug)]
pub struct ClassTable {
    classes: &'static Classes,
    tiers: Vec<Tier>,
    /// The number of each tier's first class.
    first: Vec<usize>,
}

impl ClassTable {
    /// The numbering for the game's board.
    #[must_use]
    pub fn new(game: &Collapsi) -> Self {
        let classes = Classes::of(game.board().width);
        let (mut tiers, mut first) = (Vec::new(), Vec::new());
        for (steps, numbers) in classes.by_distance() {
            for (part, start) in numbers.clone().step_by(PART).enumerate() {
                tiers.push(Tier {
                    name: format!("pawns {steps} apart, part {}", part + 1),
                    len: PART.min(numbers.end - start) as u64,
                    leads_to: Vec::new(),
                    side: None,
                });
                first.push(start);
            }
        }
        Self { classes, tiers, first }
    }

    /// The class at a place.
    fn class(&self, place: Place) -> usize {
        self.first[place.tier] + place.index as usize
    }
}

impl Numbering<Collapsi> for ClassTable {
    fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    fn place(&self, p: &Position) -> Option<Place> {
        let class = self.classes.index(p)?;
        let tier = self.first.partition_point(|&first| first <= class) - 1;
        Some(Place { tier, index: (class - self.first[tier]) as u64 })
    }

    fn grain(&self, _: usize) -> u64 {
        256
    }

    fn position(&self, place: Place) -> Position {
        self.classes.deal(self.class(place))
    }

    fn values(&self, game: &Collapsi, tier: usize, start: u64, _: Known<'_>, out: &mut [u8]) {
        let mut fast = Fast::new(game);
        for (index, code) in (start..).zip(out) {
            *code = Code::of(fast.value(&self.position(Place { tier, index }))).0;
        }
    }

    fn again(&self, game: &Collapsi, place: Place, _: Known<'_>) -> Code {
        Code::of(Minimax::new().value(game, &self.position(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludex_core::Value;

    #[test]
    fn the_table_of_3x3() {
        for (wild, expected) in [(false, Some([120, 52, 108])), (true, None)] {
            let game = Collapsi::new(3, wild);
            let table = ClassTable::new(&game);
            let known = Known { tiers: &[] };
            let mut deals = [0; 3];
            for tier in 0..table.tiers().len() {
                let mut codes = vec![0; table.tiers()[tier].len as usize];
                table.values(&game, tier, 0, known, &mut codes);
                for (index, code) in (0..).zip(codes) {
                    let place = Place { tier, index };
                    assert_eq!(table.again(&game, place, known), Code(code));
                    assert_eq!(table.place(&table.position(place)), Some(place));
                    if let Some(i) = [Value::win(5), Value::loss(6), Value::win(7)]
                        .iter()
                        .position(|&v| Some(v) == Code(code).value())
                    {
                        deals[i] += Classes::of(3).deals(table.class(place));
                    }
                }
            }
            assert!(expected.is_none_or(|e| e == deals), "{deals:?}");
        }
    }
}
