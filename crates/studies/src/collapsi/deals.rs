//! The table that comes with the program: the value of every deal of 4x4 cards whose start cards are not wild.
//!
//! Three bits for each of the 1,982,769 [classes](Classes), in their order: the number of plies less seven, which also
//! tells who wins, since wins take an odd number. `ludex collapsi pack` makes the file from a table that `ludex table
//! build collapsi` has made. It is compressed, and unpacked when the first deal is asked for.

use std::{
    io::{Read as _, Write as _},
    sync::OnceLock,
};

use flate2::{Compression, read::ZlibDecoder, write::ZlibEncoder};
use ludex_core::Value;
use ludex_games::collapsi::{Classes, Collapsi, Position};

/// Three bits for each class.
fn codes() -> &'static [u8] {
    static CODES: OnceLock<Vec<u8>> = OnceLock::new();
    CODES.get_or_init(|| {
        let mut codes = Vec::new();
        let read = ZlibDecoder::new(&include_bytes!("deals.bin")[..]).read_to_end(&mut codes);
        read.expect("the program's own table is whole, as a test shows");
        codes
    })
}

/// The fewest plies of any deal.
const FEWEST: u32 = 7;

/// The value of a deal for its side to move, if the game and the deal are the table's.
#[must_use]
pub fn value_of_deal(game: &Collapsi, deal: &Position) -> Option<Value> {
    if game.wild() || game.board().width != 4 || !deal.is_deal(game.board()) {
        return None;
    }
    Classes::of(4).index(deal).and_then(value_of_class)
}

/// The values of all classes, in their order.
pub fn values_of_classes() -> impl Iterator<Item = Value> {
    (0..Classes::of(4).count()).filter_map(value_of_class)
}

fn value_of_class(class: usize) -> Option<Value> {
    let bit = 3 * class;
    let codes = codes();
    let low = u16::from(*codes.get(bit / 8)?);
    let high = u16::from(codes.get(bit / 8 + 1).copied().unwrap_or(0));
    let plies = FEWEST + u32::from((high << 8 | low) >> (bit % 8) & 7);
    Some(if plies % 2 == 1 { Value::win(plies) } else { Value::loss(plies) })
}

/// The file of the table, from the values of all classes in order; `None` if one does not fit.
#[must_use]
pub fn pack(values: &[Value]) -> Option<Vec<u8>> {
    let mut file = ZlibEncoder::new(Vec::new(), Compression::best());
    file.write_all(&coded(values)?).ok()?;
    file.finish().ok()
}

fn coded(values: &[Value]) -> Option<Vec<u8>> {
    let mut bytes = vec![0u8; (3 * values.len()).div_ceil(8)];
    for (class, value) in values.iter().enumerate() {
        let code = value.plies()?.checked_sub(FEWEST).filter(|&code| code < 8)?;
        let bit = 3 * class;
        let word = (code as u16) << (bit % 8);
        bytes[bit / 8] |= word as u8;
        if word >> 8 != 0 {
            bytes[bit / 8 + 1] |= (word >> 8) as u8;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collapsi::Fast;

    #[test]
    fn the_table_is_right_on_random_deals() {
        let game = Collapsi::new(4, false);
        let mut fast = Fast::new(&game);
        for seed in 0..3000 {
            let deal = game.shuffled(seed);
            assert_eq!(value_of_deal(&game, &deal), Some(fast.value(&deal)));
            assert_eq!(value_of_deal(&game, &deal.turned()), Some(fast.value(&deal.turned())), "O to move");
        }
        assert_eq!(value_of_deal(&Collapsi::new(4, true), &game.shuffled(1)), None);
    }

    /// Published (arXiv 2507.16823): deals with X on a given cell by plies, and classes by plies.
    #[test]
    fn the_published_counts() {
        let classes = Classes::of(4);
        let (mut deals, mut kinds) = ([0; 8], [0; 8]);
        let mut won = [0; 5];
        for (class, value) in values_of_classes().enumerate() {
            let plies = value.plies().expect("no draws") as usize - 7;
            deals[plies] += classes.deals(class);
            kinds[plies] += 1;
            if value > Value::DRAW {
                won[classes.distance(class)] += classes.deals(class);
            }
        }
        assert_eq!(deals, [525, 9705, 641_520, 1_248_372, 19_830_630, 7_652_868, 16_279_812, 1_633_818]);
        assert_eq!(kinds, [25, 441, 27_406, 52_918, 831_369, 321_438, 680_751, 68_421]);
        assert_eq!(won, [0, 9_668_280, 15_387_480, 9_407_484, 2_289_243]);
        let values: Vec<_> = values_of_classes().collect();
        assert_eq!(coded(&values).expect("they fit"), codes());
        let mut read = Vec::new();
        ZlibDecoder::new(&pack(&values).expect("they fit")[..]).read_to_end(&mut read).expect("whole");
        assert_eq!(read, codes());
    }
}
