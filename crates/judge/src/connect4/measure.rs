//! Measuring the solver on files of positions with known scores.

use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use ludex_core::{Game, InputError, Notation, Probe, Stop};
use ludex_games::connect4::{Board, Connect4};

use super::{driver::score_of, memory::Packed};

/// How a file of positions went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// Positions solved.
    pub positions: u64,
    /// Scores that differ from those in the file.
    pub wrong: u64,
    /// Nodes of all of them.
    pub nodes: u64,
    /// Time of all of them.
    pub time: Duration,
}

/// Stops the helpers when the answer is there.
#[derive(Default)]
struct Done(AtomicBool);

impl Probe for Done {
    fn check(&self, _: u64) -> Option<Stop> {
        self.0.load(Relaxed).then_some(Stop::Cancelled)
    }
}

/// Solve every line `POSITION [SCORE]` of a text exactly on the standard board, each with a table of `bytes` bytes that
/// remembers nothing of the ones before, and count.
///
/// # Errors
/// If a line is no position, or the game is over in it.
pub fn measure(text: &str, bytes: u64, threads: usize) -> Result<Measured, InputError> {
    let game = Connect4::default();
    let mut memory = Packed::new(bytes, game.key_bits()).ok_or_else(|| {
        InputError::new(
            "bad_memory",
            format!("{bytes} bytes are too few"),
            "at least 16 MiB for the standard board",
        )
    })?;
    let mut measured = Measured::default();
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#')) {
        let at = |mut e: InputError| {
            e.message = format!("line {}: {}", i + 1, e.message);
            e
        };
        let mut words = line.split_whitespace();
        let position = words.next().filter(|&w| w != "-").unwrap_or_default();
        let wanted = words
            .next()
            .map(|s| {
                s.parse::<i32>()
                    .map_err(|_| at(InputError::position(format!("'{s}' is no score"), "a number")))
            })
            .transpose()?;
        let p = game.parse_position(position).map_err(at)?;
        if game.outcome(&p).is_some() {
            return Err(at(InputError::position("the game is over", "give positions that can be played on")));
        }
        memory.age();
        let start = Instant::now();
        let (score, nodes) = solve_one(&game, p, &memory, threads);
        measured.time += start.elapsed();
        measured.positions += 1;
        measured.nodes += nodes;
        measured.wrong += u64::from(wanted.is_some_and(|w| w != score));
    }
    Ok(measured)
}

fn solve_one(
    game: &Connect4<ludex_games::connect4::Standard>,
    p: Board<u64>,
    memory: &Packed,
    threads: usize,
) -> (i32, u64) {
    let done = Done::default();
    thread::scope(|scope| {
        for worker in 1..threads {
            let done = &done;
            scope.spawn(move || score_of(game, p, memory, done, worker));
        }
        let answer = score_of(game, p, memory, &ludex_core::Unlimited, 0);
        done.0.store(true, Relaxed);
        answer.unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_measured_and_mistakes_in_them_named() {
        // Red has three in a row open at both ends: to move it wins at once, else it wins with its next stone.
        let text = "# one right, one wrong\n445566 18\n\n44556 0\n";
        let measured = measure(text, 1 << 26, 1).expect("a good file");
        assert_eq!((measured.positions, measured.wrong), (2, 1), "the second score is -18");
        assert_eq!(measure(text, 1 << 26, 2).expect("a good file").wrong, 1);
        assert!(measure("4444444", 1 << 26, 1).unwrap_err().message.contains("line 1"));
    }
}
