//! Properties of every game on boards, deals and hypergraphs that nobody chose.

mod boards;

use boards::{config, late, sheets, specs, switched};
use ludex_core::{
    Goal, Playable,
    conformance::{self, Minimax, check_look},
};
use ludex_games::{
    positional::Sheet,
    registry::{self, Visitor},
};
use proptest::prelude::*;

fn visit<V: Visitor>(text: &str, visitor: V) -> V::Output {
    let spec = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    registry::visit(&spec, visitor).unwrap_or_else(|e| panic!("{text}: {e} ({})", e.hint))
}

/// The fast rules beside the naive ones, texts and moves read back, ranks, keys of all images.
struct Plays(u64);
impl Visitor for Plays {
    type Output = ();
    fn visit<G: Playable>(self, game: G) {
        let played = conformance::random_play(&game, |seed| game.deal(self.0 ^ seed).expect("a start"), 2);
        assert!(played.positions > 0);
        // Set up where a game ended or was, and go on from there.
        let p = late(&game, self.0, 500);
        let text = game.position_text(&p);
        assert_eq!(game.parse_position(&text), Ok(p), "{text}");
        conformance::random_play(&game, |_| p, 1);
        for p in conformance::spoilt_texts(&game, &p, self.0) {
            let text = game.position_text(&p);
            assert_eq!(game.parse_position(&text), Ok(p), "{text}");
        }
    }
}

/// Images have one key and one value.
struct Symmetric(u64);
impl Visitor for Symmetric {
    type Output = ();
    fn visit<G: Playable>(self, game: G) {
        let p = late(&game, self.0, 300);
        let mut minimax = Minimax::new();
        let value = minimax.value(&game, &p);
        for game in [game.clone().for_store(), game.clone().for_goal(Goal::Distance), game] {
            for image in game.images(&p) {
                let text = game.position_text(&p);
                assert_eq!(game.key(&image), game.key(&p), "{text}");
                assert_eq!(minimax.value(&game, &image), value, "{text}");
            }
        }
    }
}

/// All that `look` says, with any of its rules off, against minimax.
struct Looks(u64, u32);
impl Visitor for Looks {
    type Output = ();
    fn visit<G: Playable>(self, game: G) {
        let p = late(&game, self.0, 400);
        if game.outcome(&p).is_some() {
            return;
        }
        let mut minimax = Minimax::new();
        for goal in [Goal::Wdl, Goal::Distance] {
            for bits in [0, self.1] {
                let game = game.clone().with_switches(switched(&game, bits)).for_goal(goal);
                check_look(&game, goal, &p, &mut minimax);
            }
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn rules_and_notation(spec in specs(), seed in any::<u64>()) {
        visit(&spec, Plays(seed));
    }

    #[test]
    fn keys(spec in specs(), seed in any::<u64>()) {
        visit(&spec, Symmetric(seed));
    }

    #[test]
    fn hints(spec in specs(), seed in any::<u64>(), off in any::<u32>()) {
        visit(&spec, Looks(seed, off));
    }

    #[test]
    fn files(text in sheets()) {
        let sheet = Sheet::read(&text).expect("a good file");
        prop_assert_eq!(Sheet::read(&sheet.write()), Ok(sheet));
    }
}
