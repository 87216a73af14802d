//! What the game knows without search.

use ludex_core::{Bounds, Game, Moves, Switch, Value, Window};

use super::{Board, Column, Connect4, Shape, Word, lines};

/// Take a four; fill the only cell that stops one; leave the cell under the opponent's four alone.
pub(super) const FORCED: usize = 0;
/// Try the moves that make most threats first.
pub(super) const ORDER: usize = 1;

/// The rules that can be switched off.
pub(super) const SWITCHES: &[Switch] = &[
    Switch { name: "forced", what: "take a four, stop one, and do not play under the opponent's" },
    Switch { name: "order", what: "moves that make threats first, then the centre" },
];

impl<S: Shape> Connect4<S> {
    /// Bounds and moves of an unfinished game.
    pub(super) fn hints(&self, p: &Board<S::Word>, _: Window, moves: &mut Moves<Column>) -> Bounds {
        let shape = self.shape;
        moves.clear();
        let left = self.max_plies(p);
        let mut bounds = Bounds { lo: soonest(2, left).flipped(), hi: Value::win(1) };
        let mut cells = p.landings(shape);
        if self.on.on(FORCED) {
            let free = shape.cells() ^ p.all;
            if (lines::completing(shape, p.own) & cells).any() {
                return Bounds::exact(Value::win(1));
            }
            let threats = lines::completing(shape, p.other()) & free;
            let stops = threats & cells;
            if stops.several() {
                return Bounds::exact(Value::loss(2));
            }
            if stops.any() {
                cells = stops;
            }
            cells &= !(threats >> 1);
            if cells.none() {
                return Bounds::exact(Value::loss(2));
            }
            // Neither the next two stones nor the opponent's answer to them win.
            bounds = Bounds { lo: soonest(4, left).flipped(), hi: soonest(3, left) };
        }
        for c in 0..shape.width() {
            let cell = cells & shape.column(c);
            if cell.any() {
                let threats = if self.on.on(ORDER) {
                    let threats = lines::completing(shape, p.own | cell) & !(p.all | cell) & shape.cells();
                    threats.count() as i32 * 64 - (2 * c as i32 - shape.width() as i32 + 1).abs()
                } else {
                    0
                };
                moves.push_scored(Column(c as u8), threats);
            }
        }
        moves.sort();
        bounds
    }
}

/// A win in `plies` if that many cells are left, otherwise the best there can be is a draw.
#[inline]
pub(super) fn soonest(plies: u32, left: u32) -> Value {
    if plies <= left { Value::win(plies) } else { Value::DRAW }
}
