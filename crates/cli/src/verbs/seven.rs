//! `seven`: lines, potential, random games, the paper's tables and the soak of the rules.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{Args as ClapArgs, Subcommand};
use indicatif::HumanCount;
use ludex_core::{Error, Spec};
use ludex_studies::seven::{self, EdgeSet, Fitted as _, LineMeasured, PaperLimits, Stop};
use sha2::{Digest as _, Sha256};

use super::{GameVerbs, read, seven_soak::soak, verb};
use crate::{
    args::StopRule,
    chores::Through,
    context::Context,
    exit::{Done, Exit, Failure, failed},
    objects::{Edge, Fit, Line, Measured, PaperLine, PlyPlayed, Potential},
    output::{json_line, time},
    units,
};

/// What seven in a row has of its own.
pub const VERBS: GameVerbs = GameVerbs {
    family: "seven",
    command: || verb::<Seven>("seven", "Seven in a row: lines, potential, random games, the paper's tables"),
    run: |context, matches| run(context, &read(matches)?),
    json: |_| false,
    bench: None,
    census: None,
};

/// `seven`.
#[derive(Debug, ClapArgs)]
struct Seven {
    #[command(subcommand)]
    action: Action,
}

/// Which board.
#[derive(Debug, ClapArgs)]
struct Tile {
    /// The board, such as seven:8 or seven:7,edges=harness [default: seven:10]
    spec: Option<String>,
    /// Columns, 4 to 31: short for seven:N
    #[arg(
        short = 'n',
        long = "cols",
        value_name = "N",
        default_value_t = 10,
        conflicts_with = "spec",
        hide = true
    )]
    columns: usize,
    /// Which lines, paper or harness: short for seven:N,edges=SET
    #[arg(long, value_name = "SET", default_value = "paper", conflicts_with = "spec", hide = true)]
    edges: String,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Action {
    /// The lines, one per line, sorted
    Edges(Tile),
    /// How many lines of each length there are, and the potential
    Potential(Tile),
    /// A random game, with the potential after each move
    Simulate {
        #[command(flatten)]
        tile: Tile,
        /// The seed
        #[arg(short, long, default_value_t = 42)]
        seed: u64,
        /// At most this many moves
        #[arg(short, long, default_value_t = 100)]
        max_moves: usize,
        /// Which sum tells that Breaker wins
        #[arg(long, value_enum, default_value = "paper")]
        stop: StopRule,
    },
    /// Positions that no rule decides at once, solved: what the chance of Breaker is fitted to
    Data {
        /// The least number of columns
        #[arg(long, value_name = "N", default_value_t = 7)]
        from: usize,
        /// The greatest number of columns
        #[arg(long, value_name = "N", default_value_t = 10)]
        to: usize,
        /// How many positions
        #[arg(long, default_value = "400", value_parser = units::count)]
        positions: u64,
        /// Leave out what takes more nodes than this
        #[arg(long, default_value = "300", value_parser = units::count)]
        nodes: u64,
        /// The seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Fit the chance that Breaker wins to solved positions
    Fit {
        /// What `seven data` printed
        file: PathBuf,
    },
    /// Rerun the paper's tables and figure, beside its numbers
    Reproduce {
        /// Only these: I, II, III, 5 for the figure; joined by commas
        #[arg(long, value_name = "TABLES", value_delimiter = ',')]
        only: Vec<String>,
        /// Give up on a line after this time
        #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s")]
        time: Duration,
        /// Give up on a line after this many nodes
        #[arg(long, value_name = "N", value_parser = units::count)]
        nodes: Option<u64>,
        /// Memory for the table
        #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "1GiB")]
        memory: u64,
        /// The search [default: the one that suits the game]
        #[arg(long, value_name = "NAME")]
        solver: Option<String>,
        /// Draw figure 5, nodes against columns, to this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// Check every rule against minimax on random positions
    Soak {
        /// How many positions
        #[arg(long, default_value = "1e6", value_parser = units::count)]
        positions: u64,
        /// At most this many empty cells, 4 to 20
        #[arg(long, default_value_t = 13, value_parser = clap::value_parser!(u8).range(4..=20))]
        cells: u8,
        /// The seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[command(flatten)]
        through: Through,
    },
}

fn run(context: &Context, args: &Seven) -> Done {
    let out = &mut io::stdout().lock();
    match &args.action {
        Action::Edges(tile) => edges(context, out, tile),
        Action::Potential(tile) => potential(context, out, tile),
        Action::Simulate { tile, seed, max_moves, stop } => {
            simulate(context, out, &board(tile)?, (*seed, *max_moves), *stop)
        }
        Action::Data { from, to, positions, nodes, seed } => {
            let left_out = seven::data(*from..=*to, *positions, *nodes, *seed, |solved| {
                let _ = writeln!(out, "{solved}");
            })?;
            eprintln!("{} positions left out, because they take more nodes", HumanCount(left_out));
            Ok(Exit::Answered)
        }
        Action::Fit { file } => fit(context, out, file),
        Action::Reproduce { only, time, nodes, memory, solver, svg } => {
            let cancel = context.cancel()?;
            let limits =
                PaperLimits { time: Some(*time), nodes: *nodes, memory: *memory, cancel: cancel.clone() };
            let done = seven::reproduce(&context.registry, only, &limits, solver.as_deref(), |line| {
                let _ = measured(context, out, line);
            })?;
            if let Some(file) = svg {
                let figure = seven::figure(&done);
                fs::write(file, figure).map_err(failed(format!("cannot write {}", file.display())))?;
            }
            let open = cancel.is_cancelled() || done.iter().any(|line| !line.solved);
            Ok(if open { Exit::Unanswered } else { Exit::Answered })
        }
        Action::Soak { positions, cells, seed, through } => {
            soak(context, out, (*positions, *cells, *seed), through.farm.as_deref())
        }
    }
}

fn board(tile: &Tile) -> Result<seven::Game, Failure> {
    if let Some(spec) = &tile.spec {
        let spec: Spec = spec.parse()?;
        if spec.name != VERBS.family {
            return Err(Error::spec(format!("'{spec}' is not seven in a row"), "seven:N").into());
        }
        return Ok(seven::of_spec(&spec)?);
    }
    let edges: EdgeSet = tile.edges.parse()?;
    Ok(seven::game(tile.columns, edges)?)
}

fn edges(context: &Context, out: &mut impl Write, tile: &Tile) -> Done {
    for cells in seven::edges(&board(tile)?) {
        if context.json {
            json_line(out, &Line::Edge(Edge { cells }))?;
        } else {
            writeln!(out, "{cells}")?;
        }
    }
    Ok(Exit::Answered)
}

fn potential(context: &Context, out: &mut impl Write, tile: &Tile) -> Done {
    let (lines, potential) = seven::potential(&board(tile)?);
    if context.json {
        json_line(out, &Line::Potential(Potential { lines, potential: potential.value() }))?;
        return Ok(Exit::Answered);
    }
    writeln!(out, "L-line histogram:")?;
    for (i, count) in lines.iter().enumerate() {
        writeln!(out, "  x_{} = {count}", i + 1)?;
    }
    writeln!(out, "Potential: {potential}")?;
    Ok(Exit::Answered)
}

fn simulate(
    context: &Context,
    out: &mut impl Write,
    board: &seven::Game,
    (seed, most): (u64, usize),
    stop: StopRule,
) -> Done {
    let stop = match stop {
        StopRule::Paper => Stop::Paper,
        StopRule::Es => Stop::Selfridge,
    };
    for ply in seven::simulate(board, seed, most, stop) {
        if context.json {
            let object = PlyPlayed {
                number: ply.number,
                player: ply.player.to_owned(),
                cell: ply.cell,
                potential: ply.potential.value(),
                maker_won: ply.made,
                certificate: ply.certificate,
            };
            json_line(out, &Line::Ply(object))?;
            continue;
        }
        let yes = |b: bool| if b { "yes" } else { "no" };
        writeln!(
            out,
            "{}. {} {}  pot(b) = {}  Maker won: {}  Breaker certificate: {}",
            ply.number,
            ply.player,
            ply.cell,
            ply.potential,
            yes(ply.made),
            yes(ply.certificate)
        )?;
    }
    Ok(Exit::Answered)
}

fn measured(context: &Context, out: &mut impl Write, line: &LineMeasured) -> io::Result<()> {
    if context.json {
        let object = PaperLine {
            table: line.table.to_owned(),
            game: line.spec.clone(),
            about: line.about.clone(),
            without: line.without.clone(),
            ratio: line.ratio.map(|(seconds, nodes)| [seconds, nodes]),
            outcome: line.outcome.clone(),
            nodes: line.nodes,
            created: line.created,
            seconds: line.seconds,
            paper: line.paper.to_owned(),
        };
        return json_line(out, &Line::Measured(Measured::Paper(object)));
    }
    write!(out, "{}  {}, {}: {}", line.table, line.spec, line.about, line.outcome)?;
    if line.nodes > 0 {
        write!(out, ", {} nodes, {} created", HumanCount(line.nodes), HumanCount(line.created))?;
    }
    write!(out, ", {}", time(line.seconds))?;
    if let Some((seconds, nodes)) = line.ratio {
        write!(out, ", ratio {seconds:.2}/{nodes:.2}")?;
    }
    let paper = if line.paper.is_empty() { "-" } else { line.paper };
    writeln!(out, "; the paper: {paper}")?;
    out.flush()
}

fn fit(context: &Context, out: &mut impl Write, file: &Path) -> Done {
    let text = fs::read_to_string(file).map_err(failed(format!("cannot read {}", file.display())))?;
    let samples: Vec<_> = seven::read(&text)?.iter().map(|solved| solved.sample).collect();
    let found = seven::fit(&samples);
    let (loss, share) = found.quality(&samples);
    let breaker = samples.iter().filter(|s| s.breaker_wins).count();
    let sha256 = ludex_core::hex(&Sha256::digest(text.as_bytes()));
    if context.json {
        let object = Fit {
            positions: samples.len(),
            breaker,
            constant: found.constant,
            maker_to_move: found.maker_to_move,
            empty: found.empty,
            potential: found.potential,
            loss,
            share,
            sha256,
        };
        json_line(out, &Line::Fit(object))?;
        return Ok(Exit::Answered);
    }
    let (positions, breaker) = (HumanCount(samples.len() as u64), HumanCount(breaker as u64));
    writeln!(out, "{positions} positions, Breaker wins {breaker}")?;
    writeln!(
        out,
        "log odds of Breaker = {:.4} {:+.4} (Maker to move) {:+.4} empty {:+.4} potential",
        found.constant, found.maker_to_move, found.empty, found.potential
    )?;
    writeln!(out, "mean loss {loss:.4}, right {:.1} % of the time", 100.0 * share)?;
    writeln!(out, "sha256 of the data {sha256}")?;
    Ok(Exit::Answered)
}
