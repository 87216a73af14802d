//! Round robins: everybody against everybody, colours swapped, openings repeated, games side by side, resumable.
//!
//! Every game is appended to a file of [records](crate::record) as soon as it is over, and is known there by its round.
//! A tournament that is started again with the same file plays what is missing.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs::{self, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use ludex_core::Rng;
use ludex_judge::{AnyGame, Cancel, InputError, Side, open};
use serde::Deserialize;

use crate::{
    contest::{self, Terms},
    elo::{Cross, Finding, Rating, Sprt},
    entrant::{Absent, Entrant},
    player::Player,
    record::{self, Record, Score},
};

/// A tournament as its file describes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The game.
    pub spec: String,
    /// Who takes part.
    pub players: Vec<Entrant>,
    /// Games for each pair of players, rounded up so that the colours are even.
    #[serde(default = "two")]
    pub games: usize,
    /// Positions to begin with, each played with both colours; the game's own start if there are none.
    #[serde(default)]
    pub openings: Vec<String>,
    /// Without openings: begin every pair of games with this many random plies, the same for both colours.
    #[serde(default)]
    pub random_plies: usize,
    /// Seconds for each move.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Games side by side.
    #[serde(default = "one")]
    pub parallel: usize,
    /// What the built-in players' choices are made from.
    #[serde(default)]
    pub seed: u64,
    /// Where the games are kept.
    #[serde(default)]
    pub out: Option<PathBuf>,
    /// Stop a tournament of two players as soon as a sequential test with these two hypotheses (Elo) is decided.
    #[serde(default)]
    pub sprt: Option<[f64; 2]>,
}

fn one() -> usize {
    1
}

fn two() -> usize {
    2
}

/// A game to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fixture {
    round: String,
    players: [usize; 2],
    start: Option<String>,
    number: usize,
}

/// How it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The players' names.
    pub names: Vec<String>,
    /// Their results against each other.
    pub cross: Cross,
    /// Their ratings.
    pub ratings: Vec<Rating>,
    /// Wins, draws and losses of each.
    pub results: Vec<[u64; 3]>,
    /// Games played, and games in all.
    pub played: usize,
    /// Games in all.
    pub total: usize,
    /// The sequential test: its log-likelihood ratio and what it says, if one was asked for.
    pub test: Option<(f64, &'static str)>,
}

impl Plan {
    /// Read a plan from the text of a TOML file.
    ///
    /// # Errors
    /// If the file is not of the form.
    pub fn read(text: &str) -> Result<Self, InputError> {
        let plan: Self = toml::from_str(text).map_err(|e| {
            InputError::new(
                "bad_tournament",
                e.to_string().trim_end().to_owned(),
                "spec = \"nex:4x4\", players = [\"random\", \"level:2\"], games = 10",
            )
        })?;
        plan.check()?;
        Ok(plan)
    }

    /// Whether it can be played.
    ///
    /// # Errors
    /// If a player, an opening or a number makes no sense.
    pub fn check(&self) -> Result<(), InputError> {
        let bad = |what: String, hint: &str| Err(InputError::new("bad_tournament", what, hint));
        let game = open(&self.spec)?;
        if self.players.len() < 2 {
            return bad(
                format!("{} players make no tournament", self.players.len()),
                "name two players or more",
            );
        }
        let names: BTreeSet<_> = self.players.iter().map(Entrant::name).collect();
        if names.len() < self.players.len() {
            return bad("two players have the same name".into(), "give them different names");
        }
        for player in &self.players {
            player.check()?;
        }
        for opening in &self.openings {
            if game.view(opening)?.over.is_some() {
                return bad(
                    format!("the game is over in '{opening}'"),
                    "an opening leaves something to play",
                );
            }
        }
        if !(1..=1_000_000).contains(&self.games) || !(1..=256).contains(&self.parallel) {
            return bad("no such number of games".into(), "games = 1 to 1000000, parallel = 1 to 256");
        }
        if self.seconds.is_some_and(|s| !(s > 0.0 && s < 1e6)) {
            return bad("no such time".into(), "seconds = a number above 0");
        }
        if self.sprt.is_some() && self.players.len() != 2 {
            return bad(
                "a sequential test is between two players".into(),
                "leave sprt out, or name two players",
            );
        }
        Ok(())
    }

    fn fixtures(&self) -> Vec<Fixture> {
        let mut list = Vec::new();
        let game = open(&self.spec).ok();
        for number in 0..self.games.div_ceil(2) {
            let scattered = game.as_ref().and_then(|game| self.scattered(game.as_ref(), number));
            for i in 0..self.players.len() {
                for j in i + 1..self.players.len() {
                    for (colour, players) in [[i, j], [j, i]].into_iter().enumerate() {
                        let start = match self.openings.len() {
                            0 => scattered.clone(),
                            n => Some(self.openings[number % n].clone()),
                        };
                        let round = format!(
                            "{}.{} {} - {}",
                            number + 1,
                            colour + 1,
                            self.players[players[0]].name(),
                            self.players[players[1]].name()
                        );
                        list.push(Fixture { round, players, start, number });
                    }
                }
            }
        }
        list
    }

    /// A start after a few random plies that leaves the game open.
    fn scattered(&self, game: &dyn AnyGame, number: usize) -> Option<String> {
        if self.random_plies == 0 {
            return None;
        }
        let mut rng = Rng::new(self.seed.wrapping_mul(7_919).wrapping_add(number as u64));
        for _ in 0..100 {
            let mut position = game.start(Some(self.seed.wrapping_add(number as u64))).ok()?;
            for _ in 0..self.random_plies {
                let view = game.view(&position).ok()?;
                let Some(m) = rng.pick(&view.moves) else { break };
                position = game.play(&position, &m.text).ok()?;
            }
            if game.view(&position).ok()?.over.is_none() {
                return Some(position);
            }
        }
        None
    }

    /// Play what is missing. `report` sees the table after every game.
    ///
    /// # Errors
    /// If the file cannot be used, or the plan makes no sense.
    pub fn run(
        &self,
        cancel: &Cancel,
        report: &(dyn Fn(&Table, &Record) + Sync),
    ) -> Result<Table, TournamentFault> {
        self.check()?;
        let (fixtures, spec) = (self.fixtures(), open(&self.spec)?.spec());
        let mut done = BTreeMap::new();
        if let Some(path) = &self.out
            && path.exists()
        {
            let text = fs::read_to_string(path).map_err(TournamentFault::io(path))?;
            for record in record::read(whole(&text))? {
                if record.spec != spec {
                    return Err(InputError::new(
                        "bad_tournament",
                        format!("{} holds games of {}", path.display(), record.spec),
                        "keep the games of every tournament in a file of its own",
                    )
                    .into());
                }
                if let Some(round) = record.round.clone() {
                    done.insert(round, record);
                }
            }
            if whole(&text).len() < text.len() {
                // A game that was being written when the last run was killed is played again.
                fs::write(path, whole(&text)).map_err(TournamentFault::io(path))?;
            }
        }
        let decided = |table: &Table| table.test.is_some_and(|(_, word)| word != "open");
        let over = decided(&self.table(&fixtures, &done));
        let missing: Vec<&Fixture> =
            fixtures.iter().filter(|f| !over && !done.contains_key(&f.round)).collect();
        let (next, done, fault) = (AtomicUsize::new(0), Mutex::new(done), Mutex::new(None));
        std::thread::scope(|scope| {
            for _ in 0..self.parallel {
                scope.spawn(|| {
                    while !cancel.is_cancelled() {
                        let Some(fixture) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                        let kept = self.play(fixture).and_then(|record| {
                            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                            if let Some(path) = &self.out {
                                append(path, &record)?;
                            }
                            done.insert(fixture.round.clone(), record.clone());
                            let table = self.table(&fixtures, &done);
                            report(&table, &record);
                            if decided(&table) {
                                cancel.cancel();
                            }
                            Ok(())
                        });
                        if let Err(e) = kept {
                            *fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(e);
                            cancel.cancel();
                        }
                    }
                });
            }
        });
        if let Some(fault) = fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(fault);
        }
        Ok(self.table(&fixtures, &done.into_inner().unwrap_or_else(PoisonError::into_inner)))
    }

    fn play(&self, fixture: &Fixture) -> Result<Record, TournamentFault> {
        let game = open(&self.spec)?;
        let make = |side: usize| -> Box<dyn Player> {
            let entrant = &self.players[fixture.players[side]];
            let seed = self.seed.wrapping_mul(1_000_003).wrapping_add((fixture.number * 2 + side) as u64);
            entrant
                .make(seed)
                .unwrap_or_else(|fault| Box::new(Absent { name: entrant.name().to_owned(), fault }))
        };
        let (mut first, mut second) = (make(0), make(1));
        let terms = Terms {
            start: fixture.start.clone(),
            seed: Some(self.seed.wrapping_add(fixture.number as u64)),
            time: self.seconds.map(Duration::from_secs_f64),
            most_plies: None,
        };
        let mut record =
            contest::play(game.as_ref(), [first.as_mut(), second.as_mut()], &terms, &mut |_, _| {})?;
        record.players = fixture.players.map(|i| self.players[i].name().to_owned());
        record.round = Some(fixture.round.clone());
        Ok(record)
    }

    fn table(&self, fixtures: &[Fixture], done: &BTreeMap<String, Record>) -> Table {
        let n = self.players.len();
        let mut cross = Cross::new(n);
        let mut results = vec![[0; 3]; n];
        let mut played = 0;
        for fixture in fixtures {
            let Some(record) = done.get(&fixture.round) else { continue };
            let [i, j] = fixture.players;
            let Some(points) = record.score.points(Side::First) else { continue };
            played += 1;
            cross.add(i, j, points);
            match record.score {
                Score::Won(Side::First) => {
                    (results[i][0], results[j][2]) = (results[i][0] + 1, results[j][2] + 1)
                }
                Score::Won(Side::Second) => {
                    (results[i][2], results[j][0]) = (results[i][2] + 1, results[j][0] + 1)
                }
                _ => (results[i][1], results[j][1]) = (results[i][1] + 1, results[j][1] + 1),
            }
        }
        let test = self.sprt.map(|[elo0, elo1]| {
            let (sprt, [w, d, l]) = (Sprt { elo0, elo1 }, results[0]);
            let word = match sprt.finding(w, d, l) {
                Finding::Open => "open",
                Finding::Stronger => "stronger",
                Finding::NotStronger => "not stronger",
            };
            (sprt.ratio(w, d, l), word)
        });
        let names = self.players.iter().map(|p| p.name().to_owned()).collect();
        Table { names, ratings: cross.ratings(), cross, results, played, total: fixtures.len(), test }
    }
}

/// The part of a file of records up to the end of the last whole one.
fn whole(text: &str) -> &str {
    text.rfind("\n\n").map_or("", |end| &text[..end + 2])
}

fn append(path: &Path, record: &Record) -> Result<(), TournamentFault> {
    let mut file =
        OpenOptions::new().create(true).append(true).open(path).map_err(TournamentFault::io(path))?;
    file.write_all(format!("{record}\n").as_bytes()).map_err(TournamentFault::io(path))
}

impl Table {
    /// The cross table for people.
    #[must_use]
    pub fn text(&self) -> String {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by(|&a, &b| self.ratings[b].elo.total_cmp(&self.ratings[a].elo));
        let wide = self.names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(6);
        let mut text =
            format!("{:>3} {:<wide$} {:>7} {:>6} {:>13}", "#", "player", "Elo", "±", "won-drawn-lost");
        for place in 1..=order.len() {
            let _ = write!(text, " {place:>7}");
        }
        text.push('\n');
        for (place, &i) in order.iter().enumerate() {
            let [w, d, l] = self.results[i];
            let rating = self.ratings[i];
            let _ = write!(
                text,
                "{:>3} {:<wide$} {:>+7.0} {:>6.0} {:>14}",
                place + 1,
                self.names[i],
                rating.elo,
                rating.error,
                format!("{w}-{d}-{l}")
            );
            for &j in &order {
                let cell = if i == j || self.cross.games[i][j] == 0.0 {
                    "—".to_owned()
                } else {
                    format!("{}/{}", self.cross.points[i][j], self.cross.games[i][j])
                };
                let _ = write!(text, " {cell:>7}");
            }
            text.push('\n');
        }
        let _ = writeln!(text, "{} of {} games", self.played, self.total);
        if let Some((ratio, word)) = self.test {
            let _ = writeln!(
                text,
                "sequential test: log-likelihood ratio {ratio:.2}, {} is {word}",
                self.names[0]
            );
        }
        text
    }
}

/// Why a tournament could not go on.
#[derive(Debug, thiserror::Error)]
pub enum TournamentFault {
    /// The plan makes no sense.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The file of games cannot be used.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
}

impl TournamentFault {
    fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| Self::Io { path, error }
    }
}
