//! The standard board: the study of any board, an opening book, and a solver to which the compiler knows the sizes.
//!
//! Everything that is compiled for every type of game is compiled for boards whose size is a value, and 7x6 is one of them. Only the
//! solver and the small proofs are made for [`Standard`] besides.

use ludex_core::{Bounds, Error, Game as _, Value, Verdict};
use ludex_games::connect4::{Board, Column, Connect4, FAMILY, Sized, Standard};
#[cfg(feature = "files")]
use ludex_judge::table::Present;
use ludex_judge::{OwnSearch, OwnSolver, Proving, Question, Study, WriteProof, answer::Source};
use ludex_search::{Ask, think::Evaluation};

use super::{opponent::evaluation::Heuristic, own_search, prove_small};

/// A board of a size that is a value.
type OnWord = Connect4<Sized<u64>>;

/// Connect Four on the standard board beyond its rules.
#[derive(Debug)]
pub struct StandardStudy {
    heuristic: Heuristic<Sized<u64>>,
}

impl StandardStudy {
    /// The study of a game on a board of 7x6.
    #[must_use]
    pub fn new(game: OnWord) -> Self {
        Self { heuristic: Heuristic::new(game) }
    }
}

/// The same game on a board whose size the compiler knows.
fn known_size(game: &OnWord) -> Connect4<Standard> {
    Connect4::default().with_switches(game.switched())
}

impl Study<OnWord> for StandardStudy {
    fn solver(&self) -> Option<&dyn OwnSolver<OnWord>> {
        Some(self)
    }

    fn shipped(&self, game: &OnWord, p: &Board<u64>, question: &Question) -> Option<(Bounds, Source)> {
        #[cfg(feature = "files")]
        if question.book && game.outcome(p).is_none() {
            // The book is part of the program and was whole when it was built; a part of it that cannot be read knows nothing.
            let value = super::book::standard().value(game, p).ok().flatten()?;
            return Some((Bounds::exact(value), Source::Book));
        }
        let _ = (game, p, question);
        None
    }

    fn prove(
        &self,
        game: &OnWord,
        proving: &Proving<'_>,
        write: WriteProof<'_>,
    ) -> Option<Result<Vec<u8>, Error>> {
        Some(prove_small(&known_size(game), proving, write))
    }

    fn evaluation(&self) -> &dyn Evaluation<OnWord> {
        &self.heuristic
    }

    #[cfg(feature = "files")]
    fn shipped_tables(&self) -> Vec<Present> {
        vec![Present::within(super::book::standard().table())]
    }
}

impl OwnSolver<OnWord> for StandardStudy {
    fn name(&self) -> &'static str {
        FAMILY.name
    }

    fn prepare(&self, game: &OnWord, memory: u64) -> Result<Box<dyn OwnSearch<OnWord>>, Error> {
        Ok(Box::new(KnownSize(own_search(&known_size(game), memory))))
    }
}

/// The solver of [`Standard`], asked about boards whose size is a value.
struct KnownSize(Box<dyn OwnSearch<Connect4<Standard>>>);

impl OwnSearch<OnWord> for KnownSize {
    fn solve(&self, ask: &Ask<'_, OnWord>) -> Result<Verdict<Column>, Error> {
        let &Ask { position, goal, probe, worker, .. } = ask;
        self.0.solve(&Ask { game: &known_size(ask.game), position, goal, probe, worker })
    }

    fn value(&self, ask: &Ask<'_, OnWord>) -> Result<Option<Value>, Error> {
        let &Ask { position, goal, probe, worker, .. } = ask;
        self.0.value(&Ask { game: &known_size(ask.game), position, goal, probe, worker })
    }

    fn shares(&self) -> bool {
        self.0.shares()
    }

    fn usage(&self) -> (f64, u64) {
        self.0.usage()
    }
}

#[cfg(test)]
mod tests {
    use ludex_core::{Goal, Rng, Unlimited};

    use super::*;

    /// Late positions by both solvers, with every rule switched off in turn: the same verdicts after the same nodes.
    #[test]
    fn both_solvers_are_one() {
        let sized = Connect4::new(Sized::<u64>::new(7, 6).expect("it fits"));
        let mut compared = 0;
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let mut p = sized.root().expect("a start");
            while p.stones() < 26 && sized.outcome(&p).is_none() {
                p = sized.play(&p, *rng.pick(&sized.moves(&p)).expect("a move"));
            }
            if sized.outcome(&p).is_some() {
                continue;
            }
            let off = rng.below(8);
            let game = if off < 7 { sized.with_switches(sized.switched().off(off)) } else { sized };
            let ask = Ask { game: &game, position: p, goal: Goal::Distance, probe: &Unlimited, worker: 0 };
            let any = own_search(&game, 1 << 24);
            let own = StandardStudy::new(game).prepare(&game, 1 << 24).expect("room");
            assert_eq!(own.solve(&ask).expect("sound"), any.solve(&ask).expect("sound"), "{p:?}");
            compared += 1;
        }
        assert!(compared > 20, "{compared}");
    }
}
