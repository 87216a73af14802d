//! Random small games of every kind, and random positions late in them. The tests of the searches use it too.

use std::{collections::HashSet, fmt::Write as _};

use ludex_core::{Game, Notation, Rng, Switches};
use ludex_games::positional;
use proptest::{collection::vec, prelude::*, test_runner::RngSeed};

/// The same cases every time; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` ask for more and for others.
pub fn config() -> ProptestConfig {
    let asked = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    match asked.rng_seed {
        RngSeed::Random => ProptestConfig { rng_seed: RngSeed::Fixed(7), ..asked },
        RngSeed::Fixed(_) => asked,
    }
}

/// Specs of boards of every family, of any shape that is not too large.
pub fn specs() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => (1..=6u32, 1..=5u32, 1..=6u32, 0..3usize).prop_map(|(m, n, k, rule)| {
            format!("mnk:{m},{n},{k},rule={}", ["strong", "weak", "misere"][rule])
        }),
        2 => (4..=6u32, 4..=6u32).prop_map(|(w, h)| format!("connect4:{w}x{h}")),
        2 => (2..=4u32, 2..=4u32, any::<bool>(), any::<bool>()).prop_map(|(r, c, official, swap)| {
            let (rules, swap) = (if official { ",rules=official" } else { "" }, if swap && r == c { ",swap=on" } else { "" });
            format!("nex:{r}x{c}{rules}{swap}")
        }),
        2 => (2..=5u32, 2..=5u32).prop_map(|(r, c)| format!("hex:{r}x{c}")),
        2 => (4..=8u32, any::<bool>(), any::<bool>()).prop_map(|(n, harness, breaker)| {
            let edges = if harness { ",edges=harness" } else { "" };
            format!("seven:{n}{edges}{}", if breaker { ",first=breaker" } else { "" })
        }),
        1 => any::<bool>().prop_map(|wild| format!("collapsi{}", if wild { ":joker=wild" } else { "" })),
        1 => any::<bool>().prop_map(|wild| format!("collapsi:3x3{}", if wild { ",joker=wild" } else { "" })),
        4 => sheets().prop_map(|text| positional::remember(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))),
        1 => (1..=60u32).prop_map(|n| format!("heap:{n}")),
    ]
}

/// Positional games in which nothing is regular: any hypergraph for either side, turns in any order, stones on the board.
pub fn sheets() -> impl Strategy<Value = String> {
    (3..=8usize).prop_flat_map(|cells| {
        let sets = move |most| vec(vec(0..cells, 1..=4), 1..=most);
        let stones = vec(0..4u8, cells);
        (
            sets(6),
            prop::option::of(sets(6)),
            vec(any::<bool>(), 1..=cells),
            stones,
            prop::option::of(vec(0..cells, 1..=3)),
        )
            .prop_map(|(black_wins, white_wins, turns, stones, first)| {
                sheet(
                    &black_wins,
                    white_wins.as_deref().unwrap_or_default(),
                    &turns,
                    &stones,
                    first.as_deref(),
                )
            })
    })
}

fn sheet(
    black_wins: &[Vec<usize>],
    white_wins: &[Vec<usize>],
    turns: &[bool],
    stones: &[u8],
    first: Option<&[usize]>,
) -> String {
    let line = |cells: &mut dyn Iterator<Item = usize>| cells.map(|c| format!("c{c} ")).collect::<String>();
    let lines = |sets: &[Vec<usize>]| {
        sets.iter().map(|set| line(&mut set.iter().copied()) + "\n").collect::<String>()
    };
    // At most one stone of each side, so that most of the game is still to be played.
    let black = stones.iter().position(|&s| s == 1);
    let white = stones.iter().position(|&s| s == 2);
    let free = stones.len() - usize::from(black.is_some()) - usize::from(white.is_some());
    let times = turns.len().min(free);
    let mut text = String::from("#times\n");
    (0..times).for_each(|t| write!(text, "t{t} ").expect("written"));
    text += "\n#blackturns\n";
    (0..times).filter(|&t| turns[t]).for_each(|t| write!(text, "t{t} ").expect("written"));
    write!(text, "\n#positions\n{}\n#blackwins\n{}", line(&mut (0..stones.len())), lines(black_wins))
        .expect("written");
    if !white_wins.is_empty() {
        write!(text, "#whitewins\n{}", lines(white_wins)).expect("written");
    }
    write!(
        text,
        "#blackinitials\n{}\n#whiteinitials\n{}\n",
        line(&mut black.into_iter()),
        line(&mut white.into_iter())
    )
    .expect("written");
    if let Some(first) = first {
        let allowed = &mut first.iter().copied().filter(|&c| Some(c) != black && Some(c) != white);
        write!(text, "#firstmoves\n{}\n", line(allowed)).expect("written");
    }
    text
}

/// A random position from which at most `most` others can be reached, as early in a random game as there is one, or a
/// little later.
pub fn late<G: Notation>(game: &G, seed: u64, most: usize) -> G::Position {
    let mut rng = Rng::new(seed);
    let mut p = game.deal(seed).expect("a start");
    let mut further = rng.below(3);
    while game.outcome(&p).is_none() {
        if few(game, &p, most) {
            if further == 0 {
                break;
            }
            further -= 1;
        }
        p = game.play(&p, *rng.pick(&game.moves(&p)).expect("an unfinished game has a move"));
    }
    p
}

fn few<G: Game>(game: &G, start: &G::Position, most: usize) -> bool {
    let mut seen: HashSet<G::Position> = [*start].into();
    let mut open = vec![*start];
    while let Some(p) = open.pop() {
        for m in game.moves(&p) {
            let next = game.play(&p, m);
            if seen.insert(next) {
                open.push(next);
            }
        }
        if seen.len() > most {
            return false;
        }
    }
    true
}

/// Some of the rules, by the bits of a number.
pub fn switched<G: Game>(game: &G, bits: u32) -> Switches {
    (0..game.switches().len().min(32)).filter(|i| bits >> i & 1 == 1).fold(game.switched(), |on, i| on.off(i))
}
