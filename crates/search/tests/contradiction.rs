//! A game whose rules lie: every search that meets the lie must say so, and must not give a value, in any build.

use ludex_core::{
    Bounds, Contradiction, Error, ErrorCode, Game, Goal, Moves, Outcome, Side, Unlimited, Value, Verdict,
    Window,
};
use ludex_search::{
    Ask, alphabeta, aostar, brute,
    dfpn::{self, ProofTable},
    pns,
    table::Table,
};

/// What is wrong with the rules of [`Heap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// Nothing.
    None,
    /// Four counters are lost, but said to be at least a draw.
    Outcome,
    /// Three counters are won at once, but said to take three plies.
    Plies,
    /// Four counters are said to be won and lost.
    Both,
    /// With four counters left, the game goes on without a move worth looking at.
    NoMoves,
}

/// Take one, two or three of a heap; who takes the last one wins.
#[derive(Clone, Debug)]
struct Heap(Lie);

impl Game for Heap {
    type Position = (u32, Side);
    type Move = u32;
    type Key = u64;

    fn root(&self) -> Option<(u32, Side)> {
        Some((5, Side::First))
    }

    fn side(&self, p: &(u32, Side)) -> Side {
        p.1
    }

    fn outcome(&self, p: &(u32, Side)) -> Option<Outcome> {
        (p.0 == 0).then_some(Outcome::Loss)
    }

    fn each_move(&self, p: &(u32, Side), f: impl FnMut(u32)) {
        if !(self.0 == Lie::NoMoves && p.0 == 4) {
            (1..=p.0.min(3)).for_each(f);
        }
    }

    fn play(&self, p: &(u32, Side), m: u32) -> (u32, Side) {
        (p.0 - m, p.1.other())
    }

    fn rank(&self, p: &(u32, Side)) -> u32 {
        100 - p.0
    }

    fn max_plies(&self, p: &(u32, Side)) -> u32 {
        p.0
    }

    fn key(&self, p: &(u32, Side)) -> u64 {
        u64::from(p.0) << 1 | p.1.index() as u64
    }

    fn look(&self, p: &(u32, Side), _: Window, moves: &mut Moves<u32>) -> Bounds {
        moves.clear();
        self.each_move(p, |m| moves.push(m));
        match (self.0, p.0) {
            (Lie::Outcome, 4) => Bounds::at_least(Value::DRAW),
            (Lie::Plies, 3) => Bounds::at_most(Value::win(3)),
            (Lie::Both, 4) => Bounds { lo: Value::win(3), hi: Value::loss(2) },
            _ => Self::OPEN,
        }
    }
}

type Answers = Vec<(&'static str, Result<Verdict<u32>, Contradiction>)>;

fn ask(game: &Heap, goal: Goal) -> Ask<'_, Heap> {
    Ask { game, position: game.root().unwrap(), goal, probe: &Unlimited, worker: 0 }
}

fn all(lie: Lie, goal: Goal) -> Answers {
    let game = Heap(lie);
    let ask = ask(&game, goal);
    vec![
        ("alphabeta", alphabeta::solve(&ask, &Table::new(1 << 16, 64))),
        ("dfpn", dfpn::solve(&ask, &ProofTable::new(1 << 16), dfpn::Options::default())),
        ("pns", pns::solve(&ask, pns::Options { heuristic: true, memory: 1 << 20 })),
        ("aostar", aostar::solve(&ask, 1 << 20)),
    ]
}

#[test]
fn honest_rules_are_believed() {
    for goal in [Goal::Wdl, Goal::Distance] {
        for (search, answer) in all(Lie::None, goal) {
            assert_eq!(answer.map(|v| v.bounds.outcome()), Ok(Some(Outcome::Win)), "{search}");
        }
    }
}

#[test]
fn a_lie_is_found_and_gives_no_value() {
    let lies = [
        (Lie::Outcome, Goal::Wdl, "(4,"),
        (Lie::Outcome, Goal::Distance, "(4,"),
        (Lie::Plies, Goal::Distance, "(3,"),
        (Lie::Both, Goal::Wdl, "(4,"),
        (Lie::Both, Goal::Distance, "(4,"),
        (Lie::NoMoves, Goal::Distance, "(4,"),
    ];
    for (lie, goal, position) in lies {
        for (search, answer) in all(lie, goal) {
            let found = answer.expect_err(&format!("{search} on {lie:?}, {goal}"));
            assert!(found.position.starts_with(position), "{search} on {lie:?}, {goal}: {found}");
            assert!(found.one.source.contains("the rules"), "{search} on {lie:?}, {goal}: {found}");
            assert_eq!(Error::from(found).code, ErrorCode::Contradiction);
        }
    }
}

#[test]
fn a_table_that_disagrees_with_the_rules_is_found() {
    let (honest, liar) = (Heap(Lie::None), Heap(Lie::Outcome));
    let table = Table::new(1 << 16, 64);
    alphabeta::solve(&ask(&honest, Goal::Wdl), &table).unwrap();
    let found = alphabeta::solve(&ask(&liar, Goal::Wdl), &table).unwrap_err();
    assert_eq!((&*found.one.source, &*found.other.source), ("the rules", "the table"), "{found}");
    assert_eq!(found.position, "(4, Second)");
}

#[test]
fn minimax_does_not_take_a_position_without_moves_for_a_loss() {
    let game = Heap(Lie::NoMoves);
    let found = brute::solve(&ask(&game, Goal::Distance), 1 << 20).unwrap_err();
    assert_eq!(found.position, "(4, Second)");
}
