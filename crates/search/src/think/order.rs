//! Which moves a guessing search tries first: what refuted other positions may refute this one.

use std::collections::HashMap;

use ludex_core::{Game, Moves, Side};

/// The moves that made cutoffs, by ply (killers) and by side (history).
pub(super) struct Order<G: Game> {
    killers: Vec<[Option<G::Move>; 2]>,
    history: HashMap<(Side, G::Move), i64>,
    most: i64,
    habit: i32,
}

impl<G: Game> Order<G> {
    /// Without any cutoff yet; `habit` is what the best history, or a killer, adds to a move's score.
    pub(super) fn new(habit: i32) -> Self {
        Self { killers: Vec::new(), history: HashMap::new(), most: 1, habit }
    }

    /// Remember a move that made a cutoff.
    pub(super) fn cutoff(&mut self, m: G::Move, side: Side, ply: usize, depth: u32) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        if self.killers[ply][0] != Some(m) {
            self.killers[ply] = [Some(m), self.killers[ply][0]];
        }
        let history = self.history.entry((side, m)).or_default();
        *history += i64::from(depth).pow(2);
        self.most = self.most.max(*history);
    }

    /// Put the moves in order: `first`, then by their scores with what is remembered added.
    pub(super) fn sort(&self, moves: &mut Moves<G::Move>, first: Option<G::Move>, side: Side, ply: usize) {
        if self.habit > 0 {
            let killers = self.killers.get(ply).copied().unwrap_or_default();
            for (score, m) in moves.scored_mut() {
                let history = self.history.get(&(side, *m)).copied().unwrap_or(0);
                *score += self.habit * i32::from(killers.contains(&Some(*m)));
                *score += (i64::from(self.habit) * history / self.most) as i32;
            }
            moves.sort();
        }
        let list = moves.scored_mut();
        if let Some(at) = list.iter().position(|&(_, m)| Some(m) == first) {
            list[..=at].rotate_right(1);
        }
    }
}
