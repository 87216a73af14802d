//! `engine`, `referee`, `tournament` and `replay`.

use std::{
    fs::{self, OpenOptions},
    io::{self, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{Args as ClapArgs, ValueEnum};
use ludex_arena::{
    builtin::Builtin,
    entrant::Entrant,
    gtp, levels, nexc, record,
    referee::{self, Settings},
    standings::GameLine,
    tournament::{Fixture, Plan},
};
use ludex_core::{Error, ErrorCode};
use ludex_farm::{At, Chore};
use serde_json::Value;

use crate::{
    args::ProgressStyle,
    chores::{self, Through},
    context::Context,
    exit::{Done, Exit, Failure, failed},
    objects::{self, Line},
    output::json_line,
    progress::Bar,
    units,
};

/// The game that the nexC protocol is made for.
const NEXC: &str = "nex";

/// Which protocol an engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// The Go Text Protocol, as Hex programs speak it
    Gtp,
    /// The protocol of nexC players
    Nexc,
}

/// Which form of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Dialect {
    /// GTP with columns first on the boards of Hex and Nex
    Htp,
    /// nexC as it is documented
    Documented,
    /// nexC as the players that exist speak it, without line ends
    Deployed,
}

/// `engine`.
#[derive(Debug, ClapArgs)]
pub struct Engine {
    /// The game
    pub spec: String,
    /// The protocol [default: gtp, or nexc with --connect]
    #[arg(long, value_enum)]
    pub protocol: Option<Protocol>,
    /// The form of the protocol
    #[arg(long, value_enum)]
    pub dialect: Option<Dialect>,
    /// Who chooses the moves, by the name of a level
    #[arg(long, value_name = "NAME", default_value = "level:5", long_help = players("Who chooses the moves"))]
    pub player: String,
    /// The time for a move
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Threads to search with
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub threads: usize,
    /// The seed of its random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Play on this server instead of standard input and output
    #[arg(long, value_name = "HOST:PORT")]
    pub connect: Option<String>,
}

/// The help of a flag that names players, from the arena's list of levels.
fn players(what: &str) -> String {
    format!("{what}: {}, or a game's own", levels::NAMES)
}

/// Be an engine.
pub fn engine(context: &Context, engine: &Engine) -> Done {
    let game = context.open(&engine.spec)?;
    let terms = context.tables_only();
    let player = Builtin::named(&engine.player, engine.seed)?;
    let mut player = player.with_threads(engine.threads).with_terms(terms.clone());
    let stream = match &engine.connect {
        Some(address) => {
            Some(TcpStream::connect(address).map_err(failed(format!("{address} cannot be reached")))?)
        }
        None => None,
    };
    let usual = if stream.is_some() { Protocol::Nexc } else { Protocol::Gtp };
    if engine.protocol.unwrap_or(usual) == Protocol::Gtp {
        let dialect = match engine.dialect {
            None => gtp::Dialect::Own,
            Some(Dialect::Htp) => gtp::Dialect::Htp,
            Some(_) => {
                return Err(
                    Error::new(ErrorCode::BadDialect, "this is no dialect of gtp", "--dialect htp").into()
                );
            }
        };
        let (time, seed) = (engine.time, Some(engine.seed));
        let engine = gtp::Engine::new(&context.registry, game, Box::new(player), dialect, time, seed)?;
        let mut engine = engine.with_terms(terms);
        match stream {
            Some(stream) => engine.run(BufReader::new(stream.try_clone()?), stream)?,
            None => engine.run(io::stdin().lock(), io::stdout().lock())?,
        }
        return Ok(Exit::Answered);
    }
    let spec = game.spec();
    if game.family().name != NEXC {
        return Err(Error::new(
            ErrorCode::BadProtocol,
            format!("{spec} cannot be played by the nexC protocol"),
            "nex:RxC",
        )
        .into());
    }
    let session = nexc::Session {
        registry: &context.registry,
        rules: spec.find(',').map_or("", |at| &spec[at..]),
        dialect: nexc_dialect(engine.dialect)?,
        time: engine.time,
    };
    let end = match stream {
        Some(stream) => session.play(stream.try_clone()?, stream, &mut player)?,
        None => session.play(io::stdin(), io::stdout().lock(), &mut player)?,
    };
    Ok(if end == nexc::SessionEnd::Finished { Exit::Answered } else { Exit::Unanswered })
}

fn nexc_dialect(dialect: Option<Dialect>) -> Result<nexc::Dialect, Error> {
    match dialect {
        None | Some(Dialect::Documented) => Ok(nexc::Dialect::Documented),
        Some(Dialect::Deployed) => Ok(nexc::Dialect::Deployed),
        Some(Dialect::Htp) => Err(Error::new(
            ErrorCode::BadDialect,
            "this is no dialect of nexC",
            "--dialect documented or deployed",
        )),
    }
}

/// The text of a file.
fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(failed(format!("{} cannot be read", path.display())))
}

/// `referee`.
#[derive(Debug, ClapArgs)]
pub struct Referee {
    /// The game, nex:RxC
    pub spec: String,
    /// Where to wait for the players
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:21299")]
    pub listen: String,
    /// The form of the protocol
    #[arg(long, value_enum)]
    pub dialect: Option<Dialect>,
    /// The time for a move
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "30s")]
    pub time: Duration,
    /// Games between the two players, colours swapped after each (deployed form)
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub games: usize,
    /// Positions to begin with, one per line; each is played with both colours (deployed form)
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// A file with these settings: spec, listen, dialect, seconds, games, openings
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Append the games to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// When the games are over, wait for two more players
    #[arg(long)]
    pub forever: bool,
}

fn openings(file: Option<&PathBuf>) -> Result<Vec<String>, Failure> {
    let Some(path) = file else { return Ok(Vec::new()) };
    let text = read(path)?;
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    Ok(lines.map(String::from).collect())
}

/// Be a referee.
pub fn referee(context: &Context, args: &Referee) -> Done {
    let mut spec = args.spec.clone();
    let mut listen = args.listen.clone();
    let mut settings = Settings {
        dialect: nexc_dialect(args.dialect)?,
        games: args.games,
        starts: openings(args.openings.as_ref())?,
        time: Some(args.time),
    };
    if let Some(path) = &args.config {
        referee::configure(&read(path)?, &mut spec, &mut listen, &mut settings)?;
    }
    let game = context.open(&spec)?;
    if game.family().name != NEXC {
        return Err(
            Error::new(ErrorCode::BadProtocol, format!("{spec} cannot be refereed"), "nex:RxC").into()
        );
    }
    for start in &settings.starts {
        game.view(start)?;
    }
    let listener = TcpListener::bind(&listen).map_err(failed(format!("cannot listen on {listen}")))?;
    eprintln!("waiting for two players of {} on {}", game.spec(), listener.local_addr()?);
    loop {
        let mut kept = Ok(());
        referee::run(&listener, game.as_ref(), &settings, &mut |record| {
            kept = keep(args.log.as_deref(), &record.to_string());
        })?;
        kept?;
        if !args.forever {
            return Ok(Exit::Answered);
        }
    }
}

/// Print a record, and append it to the log if there is one.
fn keep(log: Option<&Path>, record: &str) -> io::Result<()> {
    if let Some(path) = log {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        file.write_all(format!("{record}\n").as_bytes())?;
    }
    writeln!(io::stdout().lock(), "{record}")
}

/// `tournament`.
#[derive(Debug, ClapArgs)]
pub struct Tournament {
    /// A plan (a TOML file), or the game if --players names the players
    pub plan: String,
    /// Players, by the names of levels
    #[arg(long, num_args = 2.., value_name = "NAME", long_help = players("Players"))]
    pub players: Vec<String>,
    /// How many games each pair plays
    #[arg(long, value_name = "N")]
    pub games: Option<usize>,
    /// Positions to begin with, one per line
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Begin every pair of games with this many random plies, the same for both colours
    #[arg(long, value_name = "N")]
    pub random_plies: Option<usize>,
    /// How many games to play at the same time
    #[arg(long, value_name = "N")]
    pub parallel: Option<usize>,
    /// The time for a move
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// The seed of the built-in players' random choices
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Write the games to this file; games that it already has are not played again
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Stop when a sequential test of these two hypotheses in Elo, such as 0,30, is decided (two players)
    #[arg(long, value_delimiter = ',', num_args = 1, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Vec<f64>,
    #[command(flatten)]
    pub through: Through,
}

/// Games of a tournament, as a chore: the order is its plan, a part one game.
#[derive(Debug)]
pub struct Games;

impl Chore for Games {
    fn name(&self) -> &'static str {
        "tournament"
    }

    fn part(&self, at: &At<'_>, order: &Value, part: &Value) -> Result<Option<Value>, Error> {
        let plan = Plan { out: None, ..chores::read(order, "a plan")? };
        built_in(&plan)?;
        // What is asked of a plan at home is asked here too, of the fixture besides.
        plan.check(at.registry)?;
        let fixture: Fixture = chores::read(part, "a game")?;
        if !plan.has(&fixture) {
            return Err(Error::new(ErrorCode::Damaged, "a game of the queue is between strangers", ""));
        }
        let record = plan.play(at.registry, &fixture, &at.terms.cancel)?;
        Ok((!at.terms.cancel.is_cancelled()).then(|| Value::from(record.to_string())))
    }

    /// Players that look at the clock may play otherwise every time.
    fn repeats(&self, _: &Value) -> bool {
        false
    }
}

/// Whether all players are this program's own: a queue cannot name programs to start.
fn built_in(plan: &Plan) -> Result<(), Error> {
    let other = plan.players.iter().find(|player| !matches!(player, Entrant::Builtin(_)));
    other.map_or(Ok(()), |player| {
        let message = format!("'{}' is a program, which a farm does not start", player.name());
        Err(Error::new(ErrorCode::BadTournament, message, "let built-in players play on a farm"))
    })
}

/// Have the missing games of a plan played by a farm.
fn elsewhere(context: &Context, url: &str, plan: &Plan) -> Result<(), Error> {
    let bad = |message: &str, hint: &str| Err(Error::new(ErrorCode::BadTournament, message, hint));
    if plan.out.is_none() {
        return bad("the games of a farm need a file", "name it with --out");
    }
    if plan.sprt.is_some() {
        return bad(
            "a farm plays all games at once, and a sequential test stops in between",
            "leave one of them out",
        );
    }
    built_in(plan)?;
    let fixtures = plan.missing(&context.registry)?;
    let spec = context.registry.open(&plan.spec)?.spec();
    let order = Plan { out: None, ..plan.clone() };
    let records: Vec<String> = chores::done(context, url, &Games, &spec, &order, &fixtures)?;
    records.iter().try_for_each(|text| record::read(text)?.iter().try_for_each(|record| plan.keep(record)))
}

/// Hold a tournament.
pub fn tournament(context: &Context, args: &Tournament) -> Done {
    let mut plan = if args.players.is_empty() {
        let text = fs::read_to_string(&args.plan)
            .map_err(failed(format!("the plan {} cannot be read", args.plan)))?;
        Plan::read(&text)?
    } else {
        Plan::new(&args.plan, args.players.iter().cloned())
    };
    plan.games = args.games.unwrap_or(plan.games);
    plan.parallel = args.parallel.unwrap_or(plan.parallel);
    plan.random_plies = args.random_plies.unwrap_or(plan.random_plies);
    plan.seed = args.seed.unwrap_or(plan.seed);
    plan.seconds = args.time.map(|t| t.as_secs_f64()).or(plan.seconds);
    plan.out = args.out.clone().or(plan.out);
    plan.sprt = match args.sprt[..] {
        [a, b] => Some([a, b]),
        [] => plan.sprt,
        _ => {
            return Err(Error::new(
                ErrorCode::BadTournament,
                "a sequential test has two hypotheses",
                "--sprt 0,30",
            )
            .into());
        }
    };
    if args.openings.is_some() {
        plan.openings = openings(args.openings.as_ref())?;
    }
    if let Some(url) = &args.through.farm {
        elsewhere(context, url, &plan)?;
    }
    let cancel = context.cancel()?;
    let bar = Bar::new(if context.json { ProgressStyle::None } else { ProgressStyle::Auto });
    let table = plan.run(&context.registry, &cancel, &|table, record| {
        if context.json {
            // A reader that has gone away is noticed at the end.
            let _ = json_line(&mut io::stdout().lock(), &GameLine::from(record));
            return;
        }
        let line = format!(
            "{:>4}/{} {}: {} ({})",
            table.played,
            table.total,
            record.round.as_deref().unwrap_or_default(),
            record.score,
            record.reason.as_deref().unwrap_or_default()
        );
        if bar.is_hidden() {
            eprintln!("{line}");
        } else {
            bar.say(format!("{line}\n{}", table.text()));
        }
    })?;
    bar.clear();
    let mut out = io::stdout().lock();
    if context.json {
        json_line(&mut out, &table.line(&plan.spec))?;
    } else {
        write!(out, "{}", table.text())?;
    }
    let decided = table.test.is_some_and(|test| test.is_decided());
    Ok(if table.played == table.total || decided { Exit::Answered } else { Exit::Unanswered })
}

/// `replay`.
#[derive(Debug, ClapArgs)]
pub struct Replay {
    /// A file of game records
    pub file: PathBuf,
    /// Which game of the file
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub game: usize,
    /// Only the position after this many plies
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    /// Write that position as SVG
    #[arg(long, requires = "ply")]
    pub svg: bool,
}

/// Step through a game.
pub fn replay(context: &Context, args: &Replay) -> Done {
    let games = record::read(&read(&args.file)?)?;
    let Some(record) = args.game.checked_sub(1).and_then(|i| games.get(i)) else {
        let hint = format!("it has {} games, numbered from 1", games.len());
        return Err(Error::new(ErrorCode::NoGame, format!("there is no game {}", args.game), hint).into());
    };
    let game = context.open(&record.spec)?;
    let mut position = match &record.start {
        Some(start) => game.view(start)?.position,
        None => game.start(None)?,
    };
    let in_words = !context.json && args.ply.is_none();
    let mut out = io::stdout().lock();
    if in_words {
        writeln!(out, "{}: {} against {}", game.title(), record.players[0], record.players[1])?;
    }
    let mut last: Option<(String, String)> = None;
    for ply in 0..=record.moves.len() {
        if args.ply.is_none_or(|wanted| wanted == ply) {
            let before = last.as_ref().map(|(p, m)| (p.as_str(), m.as_str()));
            if args.svg {
                write!(out, "{}", game.svg(&position, before, Vec::new())?)?;
            } else if context.json {
                let last = before.map(|(_, m)| m.to_owned());
                let object = objects::Replay { ply, last, position: position.clone() };
                json_line(&mut out, &Line::Replay(object))?;
            } else {
                if let Some((_, m)) = before {
                    writeln!(out, "\n{ply}. {m}")?;
                }
                write!(out, "{}", game.picture(&position)?)?;
            }
        }
        if let Some(m) = record.moves.get(ply) {
            let next = game.play(&position, m).map_err(|e| e.at(format_args!("ply {}", ply + 1)))?;
            last = Some((std::mem::replace(&mut position, next), m.clone()));
        }
    }
    if args.ply.is_some_and(|ply| ply > record.moves.len()) {
        let hint = format!("the game has {} plies", record.moves.len());
        return Err(Error::new(ErrorCode::NoPly, "there is no such ply", hint).into());
    }
    if in_words {
        writeln!(out, "{} ({})", record.score, record.reason.as_deref().unwrap_or("no reason given"))?;
    }
    Ok(Exit::Answered)
}
