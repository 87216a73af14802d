//! What the game knows without search.

use ludex_core::{Bounds, Game, Moves, Value, Window, switches};

use super::{Board, Column, Connect4, Shape, Word, ceiling, lines, score};

switches! {
    /// The rules that can be switched off.
    pub(super) SWITCHES:
    FORCED = "forced", "take a four, stop one, and do not play under the opponent's";
    ORDER = "order", "moves that make threats first, then the centre";
    pub(super) FOLLOW = "follow", "the other side answers above every stone and is never beaten";
    pub(super) ZUGZWANG = "zugzwang", "the other side answers above every stone until its threat has to be opened";
    pub(super) PAIR = "pair", "of two single upper cells the side to move gets only one";
    pub(super) PROMISED = "promised", "the cells above hold a four of the side that answers";
    pub DEAD = "dead", "no line is left for one side";
}

impl<S: Shape> Connect4<S> {
    /// Bounds and moves of an unfinished game.
    pub(super) fn hints(&self, p: &Board<S::Word>, window: Window, moves: &mut Moves<Column>) -> Bounds {
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
            // Neither the next stone nor the opponent's answer to it wins.
            bounds = Bounds { lo: soonest(4, left).flipped(), hi: soonest(3, left) };
            if stops.none() {
                bounds = bounds.meet(self.static_bounds(p, threats, left, window));
            }
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

    /// The bounds of a position in which nobody has to answer a threat.
    fn static_bounds(&self, p: &Board<S::Word>, threats: S::Word, left: u32, window: Window) -> Bounds {
        let alpha = score::at_least(window.alpha.better(), left) - 1;
        let top = ceiling::ceiling(self.shape, self.on, p, threats, left, alpha);
        let hi = if top < score::win_now(left) { score::value(top, left) } else { Value::win(1) };
        let hopeless =
            self.on.on(DEAD) && !lines::has_four(self.shape, p.other() | (self.shape.cells() ^ p.all));
        Bounds { lo: if hopeless { Value::DRAW } else { Value::loss(1) }, hi }
    }
}

/// A win in `plies` if that many cells are left, otherwise the best there can be is a draw.
#[inline]
fn soonest(plies: u32, left: u32) -> Value {
    if plies <= left { Value::win(plies) } else { Value::DRAW }
}
