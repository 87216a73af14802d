//! The one trait a game has to implement to be solved.

use std::{fmt::Debug, hash::Hash};

use crate::{Bounds, Goal, Key, Moves, Numbering, Outcome, Side, Switch, Switches, Value, Window, Witness};

/// The rules of a finite two-player game of perfect information, as a value that holds its sizes.
///
/// Every move strictly increases [`rank`](Game::rank): there are no cycles, and the conformance kit asserts it.
/// Everything a game knows beyond its rules goes through [`look`](Game::look), so that a search can be run with that
/// knowledge and without it.
pub trait Game: Clone + Debug + Send + Sync + 'static {
    /// A position, small and copied freely.
    type Position: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move. The order is the one in which equally good moves are reported.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// The exact key of a position.
    type Key: Key;

    /// Whether the sides always take turns. Where they do not, a search looks at the side of every child.
    const ALTERNATES: bool = true;

    /// Whether `look` takes much longer than a look into a table, which a search should then ask first.
    const HEAVY: bool = false;

    /// The bounds that hold in every unfinished game: nobody has won before the next move.
    const OPEN: Bounds = Bounds { lo: Value::loss(1), hi: Value::win(1) };

    /// The start, if the rules fix one. A game that begins with a deal may have none.
    fn root(&self) -> Option<Self::Position>;

    /// Who is to move (at the end of the game: who would be).
    fn side(&self, p: &Self::Position) -> Side;

    /// How the game has ended for the side to move, or `None` while it goes on. A position in which the game goes on
    /// has at least one move.
    fn outcome(&self, p: &Self::Position) -> Option<Outcome>;

    /// Call `f` with every legal move of an unfinished game.
    fn each_move(&self, p: &Self::Position, f: impl FnMut(Self::Move));

    /// The legal moves, in the order of [`each_move`](Game::each_move); none once the game is over.
    fn moves(&self, p: &Self::Position) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        if self.outcome(p).is_none() {
            self.each_move(p, |m| moves.push(m));
        }
        moves
    }

    /// The position after a legal move.
    fn play(&self, p: &Self::Position, m: Self::Move) -> Self::Position;

    /// A number that every move increases, the number of moves made where the game has no better one.
    fn rank(&self, p: &Self::Position) -> u32;

    /// No line of play from here is longer than this.
    fn max_plies(&self, p: &Self::Position) -> u32;

    /// The exact key: equal for two positions only if they are worth the same because a symmetry maps one to the
    /// other, or because they differ only in what can make no difference any more. It tells the sides apart, and no line of
    /// moves that `look` lists leads from a position to another with the same key.
    fn key(&self, p: &Self::Position) -> Self::Key;

    /// How many low bits of the key's words can be set; fewer bits make denser tables.
    fn key_bits(&self) -> u32 {
        64 * Self::Key::WORDS as u32
    }

    /// Everything known of an unfinished game without search: bounds on its value, and in `moves` (cleared first)
    /// the moves worth searching, best first.
    ///
    /// It is not interrupted, whatever the limits, and so must not take longer than some milliseconds.
    ///
    /// The contract, which the conformance kit checks against brute force:
    /// - the value lies within the bounds (rules that contradict each other give [empty](Bounds::is_empty) ones, at which
    ///   a search stops with an error);
    /// - if the bounds do not settle the window, the best of the listed moves answers the window as the best of all
    ///   moves would: both are at most `alpha`, or both at least `beta`, or equal;
    /// - if a move that was left out may be better than the best listed one, however little it matters to the window,
    ///   the list [says](Moves::leave_out) what it may be worth.
    fn look(&self, p: &Self::Position, window: Window, moves: &mut Moves<Self::Move>) -> Bounds {
        let _ = window;
        moves.clear();
        self.each_move(p, |m| moves.push(m));
        Self::OPEN
    }

    /// Why `look` knows that a side wins an unfinished game or, unless `win`, does not lose it: by the same rules, as a strategy.
    /// `None` where it knows nothing, or knows it by rules that a certificate spells out in moves.
    fn witness(&self, p: &Self::Position, side: Side, win: bool) -> Option<Witness<Self::Move>> {
        let _ = (p, side, win);
        None
    }

    /// The same game as it should be searched for a goal. Where only the outcome is asked, the key may disregard, and
    /// `look` may drop, what can change no more than the number of plies; for the other goals both are exact.
    #[must_use]
    fn for_goal(self, goal: Goal) -> Self {
        let _ = goal;
        self
    }

    /// The same game with the keys that its verdicts are stored under: exact to the ply, and the same for as many
    /// positions as can be, even if they take longer than is good for a search.
    #[must_use]
    fn for_store(self) -> Self {
        self.for_goal(Goal::Distance)
    }

    /// The position in which a search goes on after a move: the one after it, or, in a game made
    /// [for a goal](Game::for_goal), a simpler one in its place. Its moves are legal after the move too, and the best
    /// of the listed moves must answer the goal's questions as [`look`](Game::look) promises when each is judged by
    /// the position it steps to.
    fn step(&self, p: &Self::Position, m: Self::Move) -> Self::Position {
        self.play(p, m)
    }

    /// First guesses of the work it takes to prove that the side to move reaches the question's `beta`, and to
    /// disprove it. A proof-number search starts its leaves with them; 1 and 1 if there is no better idea.
    fn effort(&self, p: &Self::Position, window: Window) -> (f32, f32) {
        let _ = (p, window);
        (1.0, 1.0)
    }

    /// All images of a position under the symmetries that its key disregards, itself included.
    fn images(&self, p: &Self::Position) -> Vec<Self::Position> {
        vec![*p]
    }

    /// A guess at how good a position is for the side to move, for choosing a move where nothing is certain. No search
    /// that gives a verdict uses it.
    fn estimate(&self, p: &Self::Position) -> i32 {
        let _ = p;
        0
    }

    /// At most `most` moves that deserve a thought, best first, with what is known besides; for playing only.
    fn candidates(&self, p: &Self::Position, most: usize, moves: &mut Moves<Self::Move>) -> Bounds {
        let bounds = self.look(p, Window::FULL, moves);
        moves.scored_mut().truncate(most.max(1));
        bounds
    }

    /// The rules that can be switched off.
    fn switches(&self) -> &'static [Switch] {
        &[]
    }

    /// Which of them are on.
    fn switched(&self) -> Switches {
        Switches::default()
    }

    /// The same game with these rules on.
    #[must_use]
    fn with_switches(self, on: Switches) -> Self {
        let _ = on;
        self
    }

    /// A numbering of all positions, if the game has one and the board is small enough for its tables.
    fn numbering(&self) -> Option<Box<dyn Numbering<Self>>> {
        None
    }

    /// Facts from which a search can be chosen.
    fn nature(&self) -> Nature {
        Nature::default()
    }
}

/// Facts about a game that help to choose how to search it. A game names no algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nature {
    /// Whether a game can be drawn.
    pub draws: bool,
    /// Whether lines differ much in width, with many forced moves: proof-number searches like that.
    pub forcing: bool,
    /// Whether the number of plies is best found from below, quick ends first (iterative deepening), and not by
    /// halving what is still possible.
    pub deepen: bool,
    /// Whether only the side that has just moved can win, so that every win takes an odd number of plies and every
    /// loss an even one.
    pub odd_wins: bool,
}

impl Default for Nature {
    fn default() -> Self {
        Self { draws: true, forcing: false, deepen: true, odd_wins: false }
    }
}
