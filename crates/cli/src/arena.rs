//! `engine`, `referee`, `tournament` and `replay`.

use std::{
    fs::{self, OpenOptions},
    io::{self, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    time::Duration,
};

use anyhow::Context as _;
use clap::{Args as ClapArgs, ValueEnum};
use ludex_arena::{
    builtin::Builtin,
    entrant::Entrant,
    gtp, nexc, record,
    referee::{self, House},
    tournament::Plan,
};
use ludex_judge::{InputError, open};
use serde_json::json;

use crate::{
    args::ProgressStyle,
    exit::{Done, Exit},
    output::json_line,
    progress,
    questions::stopped_by_ctrl_c,
    units,
};

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
    /// nexC as servers were found to speak it
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
    /// Who chooses the moves: random, greedy, level:1 … level:9, perfect
    #[arg(long, default_value = "level:5")]
    pub player: String,
    /// The time for a move
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Threads
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// What its choices are made from
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Play on this server instead of standard input and output
    #[arg(long, value_name = "HOST:PORT")]
    pub connect: Option<String>,
}

/// Be an engine.
pub fn engine(engine: &Engine) -> Done {
    let game = open(&engine.spec)?;
    let mut player = Builtin::named(&engine.player, engine.seed)?.with_threads(engine.threads);
    let stream = match &engine.connect {
        Some(address) => {
            Some(TcpStream::connect(address).with_context(|| format!("{address} cannot be reached"))?)
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
                    InputError::new("bad_dialect", "this is no dialect of gtp", "--dialect htp").into()
                );
            }
        };
        let mut engine = gtp::Engine::new(game, Box::new(player), dialect, engine.time, Some(engine.seed))?;
        match stream {
            Some(stream) => engine.run(BufReader::new(stream.try_clone()?), stream)?,
            None => engine.run(io::stdin().lock(), io::stdout().lock())?,
        }
        return Ok(Exit::Answered);
    }
    let spec = game.spec();
    if game.family().name != "nex" {
        return Err(InputError::new(
            "bad_protocol",
            format!("{spec} cannot be played by the nexC protocol"),
            "nex:RxC",
        )
        .into());
    }
    let dialect = nexc_dialect(engine.dialect)?;
    let rules = spec.find(',').map_or("", |at| &spec[at..]);
    let left = match stream {
        Some(stream) => nexc::serve(
            BufReader::new(stream.try_clone()?),
            stream,
            &mut player,
            rules,
            dialect,
            engine.time,
        )?,
        None => {
            nexc::serve(io::stdin().lock(), io::stdout().lock(), &mut player, rules, dialect, engine.time)?
        }
    };
    Ok(if left == nexc::Left::Finished { Exit::Answered } else { Exit::Unanswered })
}

fn nexc_dialect(dialect: Option<Dialect>) -> anyhow::Result<nexc::Dialect> {
    match dialect {
        None | Some(Dialect::Documented) => Ok(nexc::Dialect::Documented),
        Some(Dialect::Deployed) => Ok(nexc::Dialect::Deployed),
        Some(Dialect::Htp) => Err(InputError::new(
            "bad_dialect",
            "this is no dialect of nexC",
            "--dialect documented or deployed",
        )
        .into()),
    }
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
    #[arg(long, default_value_t = 1)]
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
    /// Go on with two more players when the games are over
    #[arg(long)]
    pub forever: bool,
}

fn openings(file: Option<&PathBuf>) -> anyhow::Result<Vec<String>> {
    let Some(path) = file else { return Ok(Vec::new()) };
    let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
        .map(String::from)
        .collect())
}

/// Be a referee.
pub fn referee(args: &Referee) -> Done {
    let mut spec = args.spec.clone();
    let mut listen = args.listen.clone();
    let mut house = House {
        dialect: nexc_dialect(args.dialect)?,
        games: args.games,
        starts: openings(args.openings.as_ref())?,
        time: Some(args.time),
    };
    if let Some(path) = &args.config {
        let text = fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        referee::configure(&text, &mut spec, &mut listen, &mut house)?;
    }
    let game = open(&spec)?;
    if game.family().name != "nex" {
        return Err(InputError::new("bad_protocol", format!("{spec} cannot be refereed"), "nex:RxC").into());
    }
    for start in &house.starts {
        game.view(start)?;
    }
    let listener = TcpListener::bind(&listen).with_context(|| format!("cannot listen on {listen}"))?;
    eprintln!("waiting for two players of {} on {}", game.spec(), listener.local_addr()?);
    loop {
        let mut failed = None;
        referee::host(&listener, game.as_ref(), &house, &mut |record| {
            let kept = match &args.log {
                Some(path) => OpenOptions::new()
                    .create(true)
                    .append(true)
                    .open(path)
                    .and_then(|mut file| file.write_all(format!("{record}\n").as_bytes())),
                None => Ok(()),
            };
            let shown = writeln!(io::stdout().lock(), "{record}");
            failed = kept.and(shown).err();
        })?;
        if let Some(error) = failed {
            return Err(error.into());
        }
        if !args.forever {
            return Ok(Exit::Answered);
        }
    }
}

/// `tournament`.
#[derive(Debug, ClapArgs)]
pub struct Tournament {
    /// A plan (TOML), or the game if players are named here
    pub plan: String,
    /// Players: random, greedy, level:1 … level:9, perfect
    #[arg(long, num_args = 2.., value_name = "NAME")]
    pub players: Vec<String>,
    /// Games for each pair
    #[arg(long)]
    pub games: Option<usize>,
    /// Positions to begin with, one per line
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Begin every pair of games with this many random plies, the same for both colours
    #[arg(long)]
    pub random_plies: Option<usize>,
    /// Games side by side
    #[arg(long)]
    pub parallel: Option<usize>,
    /// The time for a move
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// What built-in players' choices are made from
    #[arg(long)]
    pub seed: Option<u64>,
    /// Keep the games in this file, and go on with what it lacks
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Stop when a sequential test of these two hypotheses in Elo, such as 0,30, is decided (two players)
    #[arg(long, value_delimiter = ',', num_args = 1, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub sprt: Vec<f64>,
    /// JSON lines
    #[arg(long)]
    pub json: bool,
}

/// Hold a tournament.
pub fn tournament(args: &Tournament) -> Done {
    let mut plan = if args.players.is_empty() {
        let text = fs::read_to_string(&args.plan)
            .with_context(|| format!("the plan {} cannot be read", args.plan))?;
        Plan::read(&text)?
    } else {
        Plan {
            spec: args.plan.clone(),
            players: args.players.iter().cloned().map(Entrant::Builtin).collect(),
            games: 2,
            openings: Vec::new(),
            seconds: None,
            parallel: 1,
            seed: 0,
            out: None,
            sprt: None,
            random_plies: 0,
        }
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
            return Err(InputError::new(
                "bad_tournament",
                "a sequential test has two hypotheses",
                "--sprt 0,30",
            )
            .into());
        }
    };
    if args.openings.is_some() {
        plan.openings = openings(args.openings.as_ref())?;
    }
    let cancel = stopped_by_ctrl_c()?;
    let json = args.json;
    let live = progress::bar(if json { ProgressStyle::None } else { ProgressStyle::Auto });
    let table = plan.run(&cancel, &|table, record| {
        if json {
            println!(
                "{}",
                json!({"type": "game", "round": record.round, "first": record.players[0], "second": record.players[1],
                       "result": record.score.to_string(), "plies": record.moves.len(), "reason": record.reason})
            );
        } else {
            let line = format!(
                "{:>4}/{} {}: {} ({})",
                table.played,
                table.total,
                record.round.as_deref().unwrap_or_default(),
                record.score,
                record.reason.as_deref().unwrap_or_default()
            );
            match &live {
                Some(live) => live.set_message(format!("{line}\n{}", table.text())),
                None => eprintln!("{line}"),
            }
        }
    })?;
    if let Some(live) = live {
        live.finish_and_clear();
    }
    let mut out = io::stdout().lock();
    if json {
        let players: Vec<_> = (0..table.names.len())
            .map(|i| {
                json!({"name": table.names[i], "elo": table.ratings[i].elo.round(), "error": table.ratings[i].error.round(),
                       "won": table.results[i][0], "drawn": table.results[i][1], "lost": table.results[i][2],
                       "points": table.cross.points[i], "games": table.cross.games[i]})
            })
            .collect();
        let test = table.test.map(|(ratio, word)| json!({"ratio": ratio, "finding": word}));
        json_line(
            &mut out,
            &json!({"type": "tournament", "game": plan.spec, "played": table.played, "total": table.total,
                    "players": players, "test": test}),
        )?;
    } else {
        write!(out, "{}", table.text())?;
    }
    let decided = table.test.is_some_and(|(_, word)| word != "open");
    Ok(if table.played == table.total || decided { Exit::Answered } else { Exit::Unanswered })
}

/// `replay`.
#[derive(Debug, ClapArgs)]
pub struct Replay {
    /// A file of game records
    pub file: PathBuf,
    /// Which game of the file
    #[arg(long, default_value_t = 1)]
    pub game: usize,
    /// Only the position after this many plies
    #[arg(long)]
    pub ply: Option<usize>,
    /// Write that position as SVG
    #[arg(long, requires = "ply")]
    pub svg: bool,
    /// JSON lines
    #[arg(long, conflicts_with = "svg")]
    pub json: bool,
}

/// Step through a game.
pub fn replay(args: &Replay) -> Done {
    let text =
        fs::read_to_string(&args.file).with_context(|| format!("{} cannot be read", args.file.display()))?;
    let games = record::read(&text)?;
    let Some(record) = args.game.checked_sub(1).and_then(|i| games.get(i)) else {
        let hint = format!("it has {} games, numbered from 1", games.len());
        return Err(InputError::new("no_game", format!("there is no game {}", args.game), hint).into());
    };
    let game = open(&record.spec)?;
    let mut position = match &record.start {
        Some(start) => game.view(start)?.position,
        None => game.start(None)?,
    };
    let mut out = io::stdout().lock();
    if !args.json && args.ply.is_none() {
        writeln!(out, "{}: {} against {}", game.title(), record.players[0], record.players[1])?;
    }
    let mut last: Option<(String, String)> = None;
    for ply in 0..=record.moves.len() {
        if args.ply.is_none_or(|wanted| wanted == ply) {
            let before = last.as_ref().map(|(p, m)| (p.as_str(), m.as_str()));
            if args.svg {
                write!(out, "{}", game.svg(&position, before, Vec::new())?)?;
            } else if args.json {
                json_line(
                    &mut out,
                    &json!({"type": "replay", "ply": ply, "move": last.as_ref().map(|l| &l.1), "position": position}),
                )?;
            } else {
                if let Some((_, m)) = before {
                    writeln!(out, "\n{ply}. {m}")?;
                }
                write!(out, "{}", game.picture(&position)?)?;
            }
        }
        if let Some(m) = record.moves.get(ply) {
            let next = game.play(&position, m).map_err(|mut e| {
                e.message = format!("ply {}: {}", ply + 1, e.message);
                e
            })?;
            last = Some((std::mem::replace(&mut position, next), m.clone()));
        }
    }
    if args.ply.is_some_and(|ply| ply > record.moves.len()) {
        let hint = format!("the game has {} plies", record.moves.len());
        return Err(InputError::new("no_ply", "there is no such ply", hint).into());
    }
    if !args.json && args.ply.is_none() {
        writeln!(out, "{} ({})", record.score, record.reason.as_deref().unwrap_or("no reason given"))?;
    }
    Ok(Exit::Answered)
}
