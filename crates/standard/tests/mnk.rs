//! The values of m,n,k-games, by the search that the judge chooses.

use ludex_games::{Cost, known_values, mnk::FAMILY};
use ludex_judge::{Budget, Goal, Question, Terms};
use ludex_standard::open;

fn question(goal: Goal) -> Question {
    let budget = Budget { memory: 32 << 20, threads: 1, ..Budget::default() };
    Question { goal, budget, ..Question::default() }
}

#[test]
fn known_values_are_found() {
    let mut found = 0;
    for case in known_values(&FAMILY).into_iter().filter(|case| case.cost == Cost::Quick) {
        let goal = if case.plies.is_some() { Goal::Distance } else { Goal::Wdl };
        let asked = Question { position: case.position.clone(), ..question(goal) };
        let verdict = open(&case.spec).unwrap().solve(&asked, &Terms::default()).unwrap();
        assert!(verdict.is_solved(), "{}", case.spec);
        assert_eq!(verdict.outcome, Some(case.outcome), "{}", case.spec);
        assert!(case.plies.is_none() || case.plies == verdict.plies, "{}: {:?}", case.spec, verdict.plies);
        assert!(["alphabeta", "dfpn"].contains(&verdict.solver.as_str()), "it says which search it was");
        found += 1;
    }
    assert!(found > 100);
}

#[test]
fn openings_are_scored() {
    let analysis = open("mnk:4,4,3").unwrap().analyze(&question(Goal::Distance), &Terms::default()).unwrap();
    assert_eq!(analysis.verdict.plies, Some(5));
    let plies = |cell: &str| analysis.moves.iter().find(|m| m.text == cell).and_then(|m| m.plies);
    assert_eq!(["a1", "b1", "b2"].map(plies), [Some(11), Some(7), Some(5)]);
    assert_eq!(analysis.verdict.best, ["b2", "c2", "b3", "c3"]);
}

/// Few nodes: the signature of the rules that decide without search.
#[test]
fn small_boards_take_few_nodes() {
    for (spec, most) in [("mnk:4,4,4", 100), ("mnk:5,5,4", 15_000), ("mnk:6,5,4", 5_000)] {
        let verdict = open(spec).unwrap().solve(&question(Goal::Wdl), &Terms::default()).unwrap();
        let nodes = verdict.stats.nodes;
        assert!(nodes <= most, "{spec}: {nodes} nodes");
    }
}
