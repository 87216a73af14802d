//! Collapsi's part of the bench: deals by the thousand.

use std::time::Instant;

use ludex_core::{Cancel, Error, Game, Goal, Unlimited, Value};
use ludex_games::collapsi::{Classes, Collapsi};
use ludex_search::{Ask, aostar};

use super::{Fast, value_of_deal};

/// One thing that was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct DealsMeasured {
    /// What.
    pub case: String,
    /// How many deals.
    pub deals: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// Seconds.
    pub seconds: f64,
    /// How many X wins: the same on every machine.
    pub won: u64,
}

impl DealsMeasured {
    /// Seconds for a deal of every class at this rate.
    #[must_use]
    pub fn classes_seconds(&self) -> f64 {
        self.seconds / self.deals.max(1) as f64 * Classes::of(4).count() as f64
    }
}

/// Solve random deals exactly, by the search made for the game, by AO* and by the table.
///
/// # Errors
/// If two of them disagree.
pub fn measure(cancel: &Cancel) -> Result<Vec<DealsMeasured>, Error> {
    let mut all = Vec::new();
    for (wild, deals) in [(false, 10_000), (true, 1000)] {
        let game = Collapsi::new(4, wild);
        let mut fast = Fast::new(&game);
        let rules = if wild { ", wild" } else { "" };
        let won = |value: Value| u64::from(value > Value::DRAW);
        all.push(timed(format!("{deals} deals{rules}, exact"), deals, cancel, |seed| {
            let before = fast.nodes();
            let value = fast.value(&game.shuffled(seed));
            Ok((won(value), fast.nodes() - before))
        })?);
        let searched = game.clone().for_goal(Goal::Distance);
        all.push(timed(format!("{} deals{rules}, AO*", deals / 50), deals / 50, cancel, |seed| {
            let position = searched.shuffled(seed);
            let ask = Ask { game: &searched, position, goal: Goal::Distance, probe: &Unlimited, worker: 0 };
            let verdict = aostar::solve(&ask, 1 << 30)?;
            Ok((verdict.bounds.value().map_or(0, won), verdict.stats.nodes))
        })?);
        if !wild {
            let dealt: Vec<_> = (0..deals).map(|seed| game.shuffled(seed)).collect();
            // The numbering of a class of symmetric deals is worked out when it is first asked for.
            let warm: u64 = dealt.iter().filter_map(|deal| value_of_deal(&game, deal)).map(won).sum();
            all.push(timed(format!("{deals} probes of the table"), deals, cancel, |seed| {
                Ok((value_of_deal(&game, &dealt[seed as usize]).map_or(0, won), 1))
            })?);
            if !cancel.is_cancelled() && all.last().is_some_and(|m| m.won != warm) {
                return Err(Error::contradiction("the table of deals gave two values for one deal"));
            }
        }
    }
    Ok(all)
}

fn timed(
    case: String,
    deals: u64,
    cancel: &Cancel,
    mut solve: impl FnMut(u64) -> Result<(u64, u64), Error>,
) -> Result<DealsMeasured, Error> {
    let start = Instant::now();
    let mut measured = DealsMeasured { case, deals: 0, nodes: 0, seconds: 0.0, won: 0 };
    for seed in 0..deals {
        if cancel.is_cancelled() {
            break;
        }
        let (won, nodes) = solve(seed)?;
        measured.deals += 1;
        measured.won += won;
        measured.nodes += nodes;
    }
    measured.seconds = start.elapsed().as_secs_f64();
    Ok(measured)
}
