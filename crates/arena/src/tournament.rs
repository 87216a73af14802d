//! Round robins: everybody against everybody, colours swapped, openings repeated, games side by side, resumable.
//!
//! Every game is appended to a file of [records](crate::record) as soon as it is over, and is known there by its round.
//! A tournament that is started again with the same file plays what is missing.

use std::{
    collections::{BTreeMap, BTreeSet},
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
use ludex_judge::{AnyGame, Cancel, Error, ErrorCode, Registry, Side, Spawner as _, Terms, Threads};
use serde::{Deserialize, Serialize};

use crate::{
    contest::{self, Conditions},
    elo::{Cross, Sprt},
    entrant::{Absent, Entrant},
    player::Player,
    record::{self, Record, Score},
    standings::Table,
};

/// A tournament as its file describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixture {
    round: String,
    players: [usize; 2],
    start: Option<String>,
    number: usize,
}

impl Plan {
    /// Between players of these names: two games for each pair, one after the other, as long as the players like.
    #[must_use]
    pub fn new(spec: impl Into<String>, players: impl IntoIterator<Item = String>) -> Self {
        Self {
            spec: spec.into(),
            players: players.into_iter().map(Entrant::Builtin).collect(),
            games: two(),
            openings: Vec::new(),
            random_plies: 0,
            seconds: None,
            parallel: one(),
            seed: 0,
            out: None,
            sprt: None,
        }
    }

    /// Read a plan from the text of a TOML file.
    ///
    /// # Errors
    /// If the text is not of that form.
    pub fn read(text: &str) -> Result<Self, Error> {
        toml::from_str(text).map_err(|e| {
            Error::new(
                ErrorCode::BadTournament,
                e.to_string().trim_end().to_owned(),
                "spec = \"nex:4x4\", players = [\"random\", \"level:2\"], games = 10",
            )
        })
    }

    /// Whether it can be played.
    ///
    /// # Errors
    /// If a player, an opening or a number makes no sense.
    pub fn check(&self, registry: &Registry) -> Result<(), Error> {
        let bad = |what: String, hint: &str| Err(Error::new(ErrorCode::BadTournament, what, hint));
        let game = registry.open(&self.spec)?;
        if self.players.len() < 2 {
            return bad(
                format!("a tournament needs two players, not {}", self.players.len()),
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
            if game.state(opening)?.over.is_some() {
                return bad(
                    format!("the game is over in '{opening}'"),
                    "begin with positions that can be played on",
                );
            }
        }
        if !(1..=1_000_000).contains(&self.games) || !(1..=256).contains(&self.parallel) {
            return bad(
                "the number of games is out of range".into(),
                "games = 1 to 1000000, parallel = 1 to 256",
            );
        }
        if self.seconds.is_some_and(|s| !(s > 0.0 && s < 1e6)) {
            return bad("the time is out of range".into(), "seconds = a number above 0");
        }
        if self.sprt.is_some() && self.players.len() != 2 {
            return bad(
                "a sequential test is between two players".into(),
                "leave sprt out, or name two players",
            );
        }
        Ok(())
    }

    fn fixtures(&self, game: &dyn AnyGame) -> Vec<Fixture> {
        let mut list = Vec::new();
        for number in 0..self.games.div_ceil(2) {
            let random = self.random_start(game, number);
            for i in 0..self.players.len() {
                for j in i + 1..self.players.len() {
                    for (colour, players) in [[i, j], [j, i]].into_iter().enumerate() {
                        let start = match self.openings.len() {
                            0 => random.clone(),
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

    /// A start after a few random plies in which the game is not over.
    fn random_start(&self, game: &dyn AnyGame, number: usize) -> Option<String> {
        if self.random_plies == 0 {
            return None;
        }
        let mut rng = Rng::new(self.seed.wrapping_mul(7_919).wrapping_add(number as u64));
        for _ in 0..100 {
            let mut position = game.start(Some(self.seed.wrapping_add(number as u64))).ok()?;
            for _ in 0..self.random_plies {
                let any = game.one_move(&position, &mut |moves| rng.below(moves)).ok()?;
                let Some(m) = any else { break };
                position = game.play(&position, &m).ok()?;
            }
            if game.state(&position).ok()?.over.is_none() {
                return Some(position);
            }
        }
        None
    }

    /// Play what is missing. `report` sees the table after every game. Games that are under way when `cancel` is raised
    /// do not count: their players may have been stopped in the middle of a search.
    ///
    /// # Errors
    /// If the plan makes no sense, the file cannot be used, or a player of this program fails by a fault in the program.
    pub fn run(
        &self,
        registry: &Registry,
        cancel: &Cancel,
        report: &(dyn Fn(&Table, &Record) + Sync),
    ) -> Result<Table, Error> {
        self.check(registry)?;
        let game = registry.open(&self.spec)?;
        let fixtures = self.fixtures(game.as_ref());
        let done = self.played_before(&game.spec())?;
        let decided = |table: &Table| table.test.is_some_and(|test| test.is_decided());
        let over = decided(&self.table(&fixtures, &done));
        let missing: Vec<&Fixture> =
            fixtures.iter().filter(|f| !over && !done.contains_key(&f.round)).collect();
        let (next, done, fault) = (AtomicUsize::new(0), Mutex::new(done), Mutex::new(None));
        let keep = |fixture: &Fixture, record: Record| -> Result<(), Error> {
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            if cancel.is_cancelled() {
                return Ok(());
            }
            self.keep(&record)?;
            done.insert(fixture.round.clone(), record.clone());
            let table = self.table(&fixtures, &done);
            report(&table, &record);
            if decided(&table) {
                cancel.cancel();
            }
            Ok(())
        };
        let ran = Threads.run(self.parallel, &|_| {
            let _stop = StopOnPanic(cancel);
            while !cancel.is_cancelled() {
                let Some(fixture) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let played = self.play(registry, fixture, cancel);
                if let Err(error) = played.and_then(|record| keep(fixture, record)) {
                    fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    cancel.cancel();
                }
            }
        });
        ran.map_err(|said| {
            let hint = "this is a fault in the program; please report the command";
            Error::new(ErrorCode::Internal, format!("a game of the tournament panicked: {said}"), hint)
        })?;
        match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(self.table(&fixtures, &done.into_inner().unwrap_or_else(PoisonError::into_inner))),
        }
    }

    /// The games of this tournament that its file holds, by their rounds. A game that was being written when the last
    /// run was killed is cut off the file, and played again.
    fn played_before(&self, spec: &str) -> Result<BTreeMap<String, Record>, Error> {
        let mut done = BTreeMap::new();
        let Some(path) = self.out.as_deref().filter(|path| path.exists()) else { return Ok(done) };
        let text = fs::read_to_string(path).map_err(unusable(path))?;
        let complete = &text[..text.rfind("\n\n").map_or(0, |end| end + 2)];
        for record in record::read(complete).map_err(|e| e.at(path.display()))? {
            if record.spec != spec {
                return Err(Error::new(
                    ErrorCode::BadTournament,
                    format!("{} holds games of {}", path.display(), record.spec),
                    "keep the games of every tournament in a file of its own",
                ));
            }
            if let Some(round) = record.round.clone() {
                done.insert(round, record);
            }
        }
        if complete.len() < text.len() {
            fs::write(path, complete).map_err(unusable(path))?;
        }
        Ok(done)
    }

    /// The games that are missing from the plan's file, for whoever has them played elsewhere and
    /// [keeps](Self::keep) them.
    ///
    /// # Errors
    /// If the plan makes no sense or the file cannot be used.
    pub fn missing(&self, registry: &Registry) -> Result<Vec<Fixture>, Error> {
        self.check(registry)?;
        let game = registry.open(&self.spec)?;
        let done = self.played_before(&game.spec())?;
        Ok(self.fixtures(game.as_ref()).into_iter().filter(|f| !done.contains_key(&f.round)).collect())
    }

    /// Whether the players of a game are among the plan's.
    #[must_use]
    pub fn has(&self, fixture: &Fixture) -> bool {
        fixture.players.iter().all(|&player| player < self.players.len())
    }

    /// Append a game to the plan's file, if it has one.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&self, record: &Record) -> Result<(), Error> {
        self.out.as_deref().map_or(Ok(()), |path| append(path, record))
    }

    /// Play one game.
    ///
    /// # Errors
    /// If a player of this program fails by a fault in the program.
    pub fn play(&self, registry: &Registry, fixture: &Fixture, cancel: &Cancel) -> Result<Record, Error> {
        // Every game has its own, so that what a search remembers of one game does not help in another.
        let game = registry.open(&self.spec)?;
        let terms = Terms::default().until(cancel);
        let make = |side: usize| -> Box<dyn Player> {
            let entrant = &self.players[fixture.players[side]];
            let seed = self.seed.wrapping_mul(1_000_003).wrapping_add((fixture.number * 2 + side) as u64);
            entrant
                .make(seed, &terms)
                .unwrap_or_else(|fault| Box::new(Absent { name: entrant.name().to_owned(), fault }))
        };
        let (mut first, mut second) = (make(0), make(1));
        let conditions = Conditions {
            start: fixture.start.clone(),
            seed: Some(self.seed.wrapping_add(fixture.number as u64)),
            time: self.seconds.map(Duration::from_secs_f64),
            most_plies: None,
        };
        let mut record =
            contest::play(game.as_ref(), [first.as_mut(), second.as_mut()], &conditions, &mut |_, _| {})?;
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
        let [wins, draws, losses] = results[0];
        let test = self.sprt.map(|[elo0, elo1]| Sprt { elo0, elo1 }.result(wins, draws, losses));
        let names = self.players.iter().map(|p| p.name().to_owned()).collect();
        Table { names, ratings: cross.ratings(), cross, results, played, total: fixtures.len(), test }
    }
}

/// Stops the other games when one of them panics; the panic itself is told by whoever runs the threads.
struct StopOnPanic<'a>(&'a Cancel);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.cancel();
        }
    }
}

fn append(path: &Path, record: &Record) -> Result<(), Error> {
    let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(unusable(path))?;
    file.write_all(format!("{record}\n").as_bytes()).map_err(unusable(path))
}

fn unusable(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    move |e| {
        let hint = "name a file that can be read and written";
        Error::new(ErrorCode::Failed, format!("{}: {e}", path.display()), hint)
    }
}
