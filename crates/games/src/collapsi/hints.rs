//! What the game knows without search: who is about to be stuck.

use ludex_core::{Bounds, Game, Moves, Value, Window};

use super::{Collapsi, Position, Walk, position::STUCK};

impl Collapsi {
    /// Let the mover stand on `a` and the opponent on `b`. The move to `t` collapses `a`, so the opponent's replies
    /// are `E \ {t}`, where `E`, his walks without `a`, is the same for every `t`. After his reply `r` the mover's next
    /// moves are `F(t) \ {r}`, where `F(t)`, the walks from `t` without `a` and `b`, is the same for every `r`.
    ///
    /// - Win in 1: the move to `t` wins at once iff `E ⊆ {t}`.
    /// - Loss in 2: the move to `t`, if it does not win at once, is answered by a win at once iff `F(t) ⊆ {r}` for a
    ///   reply `r`, that is iff `F(t)` is empty or is one cell of `E \ {t}`.
    ///
    /// A position with no win in 1 is worth at most a win in 3; one with a move that does not lose in 2 at least a
    /// loss in 4, and moves that lose in 2, the worst that can happen, need no search. Order: moves that keep the
    /// mover mobile (many next moves, many open neighbours) first, and those that take a reply from the opponent.
    pub(super) fn hints(&self, p: &Position, _: Window, moves: &mut Moves<Walk>) -> Bounds {
        moves.clear();
        if !self.switches.on(STUCK) {
            self.each_move(p, |m| moves.push(m));
            return Self::OPEN;
        }
        let [a, b] = p.mine();
        let mut targets = self.targets(p);
        let without_a = p.open & !(1 << a);
        let replies = self.ends(b, p.card(b), without_a);
        if replies == 0 || replies.is_power_of_two() && targets & replies != 0 {
            let to = if replies == 0 { targets } else { replies };
            moves.push(self.walk(p, to.trailing_zeros() as usize));
            return Bounds::exact(Value::win(1));
        }
        let without_both = without_a & !(1 << b);
        while targets != 0 {
            let t = targets.trailing_zeros() as usize;
            targets &= targets - 1;
            let next = self.walks(t, p.card(t), without_both);
            let left = replies & !(1 << t);
            if next.ends == 0 || next.ends.is_power_of_two() && next.ends & left != 0 {
                continue;
            }
            let blocks = i32::from(replies >> t & 1);
            moves.push_scored(self.walk(p, t), next.ease as i32 + 2 * blocks);
        }
        if moves.is_empty() {
            self.each_move(p, |m| moves.push(m));
            return Bounds::exact(Value::loss(2));
        }
        moves.sort();
        Bounds { lo: Value::loss(4), hi: Value::win(3) }
    }
}
