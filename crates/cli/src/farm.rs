//! `farm`: work for many processes through a queue.

use std::{
    fs,
    io::{self, Read as _, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{Args as ClapArgs, Subcommand};
use indicatif::HumanCount;
use ludex_core::{Error, ErrorCode};
use ludex_farm::{
    Farm as Queue, FarmStatus, Kind, Outcome, Plan, StoreUrl, SubmissionStatus, Twig, Worker,
    simulate::{self, Model},
};
use ludex_judge::answer::ErrorLine;

use crate::{
    args::{self, Effort, PositionArgs},
    chores,
    context::Context,
    exit::{Done, Exit, Failure, failed},
    objects::{FarmAnswer, FarmCancelled, FarmMade, FarmSimulated, FarmSubmitted, FarmWorked, Line},
    output::{self, json_line, time},
    questions, units,
};

/// Names the queue, where the command line does not.
const STORE: &str = "LUDEX_FARM";
/// Where it is if nothing says.
const DEFAULT: &str = "sqlite:farm.db";

/// `farm`.
#[derive(Debug, ClapArgs)]
pub struct Farm {
    #[command(subcommand)]
    action: Action,
    /// The queue: sqlite:FILE, or postgres://USER@HOST/DATABASE [default: what LUDEX_FARM names, or sqlite:farm.db]
    #[arg(long, value_name = "URL", global = true)]
    store: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Make the tables of a farm
    Init,
    /// Submit a position for all workers to solve together, or a list of positions
    Submit(Box<Submit>),
    /// Work: take jobs, do them, hand in the answers
    Work(Work),
    /// Lead a shared proof search, where the workers do not
    Lead {
        /// The submission
        id: i64,
    },
    /// How the farm is doing
    Status {
        /// Only this submission
        id: Option<i64>,
    },
    /// Call a submission off
    Cancel {
        /// The submission
        id: i64,
    },
    /// What came of a submission
    Results {
        /// The submission
        id: i64,
    },
    /// The scheduler on more workers than there are
    Simulate(Simulate),
}

#[derive(Debug, ClapArgs)]
struct Submit {
    #[command(flatten)]
    at: PositionArgs,
    /// One question for each line of this file (- for standard input; # begins a comment)
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    positions: Option<PathBuf>,
    /// What to find out of a list of positions
    #[arg(long, value_enum, default_value = "wdl")]
    goal: args::Goal,
    /// Time of one job of a shared proof search
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "1s")]
    slice: Duration,
    /// Nodes of one job of a shared proof search, in place of time
    #[arg(long, value_name = "N", value_parser = units::count)]
    slice_nodes: Option<u64>,
    /// The share of answers that another worker finds out again, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    check: f64,
    /// Which answers those are
    #[arg(long, value_name = "N", default_value_t = 1)]
    check_seed: u64,
    #[command(flatten)]
    scheduling: Scheduling,
    #[command(flatten)]
    effort: Effort,
}

/// What the scheduler can be tuned by. Nothing of it changes the answer.
#[derive(Clone, Copy, Debug, ClapArgs)]
struct Scheduling {
    /// Leaves handed out beyond one for each worker, as a share of the workers
    #[arg(long, value_name = "SHARE", default_value_t = 0.125)]
    ahead: f64,
    /// How much dearer a leaf that is handed out makes the way to it, as a share
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    loss: f64,
    /// How far beyond the second cheapest move a leaf may go before it comes back, as a share
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    epsilon: f64,
    /// The part of a job's time that a leaf gets at least
    #[arg(long, value_name = "SHARE", default_value_t = 0.125)]
    least: f64,
}

#[derive(Debug, ClapArgs)]
struct Work {
    /// Workers in this process, each with tables of its own
    #[arg(long, value_name = "N", default_value_t = 1)]
    workers: usize,
    /// What they are called [default: the host's name]
    #[arg(long)]
    name: Option<String>,
    /// Memory of each worker
    #[arg(long, value_name = "SIZE", value_parser = units::bytes, default_value = "1GiB")]
    memory: u64,
    /// How long a job may go without a sign of life before somebody else gets it
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "30s")]
    lease: Duration,
    /// At most so many short jobs are taken at once
    #[arg(long, value_name = "N", default_value_t = 256)]
    batch: usize,
    /// Leave when there is nothing to do
    #[arg(long)]
    until_done: bool,
    /// Lead no shared proof search
    #[arg(long)]
    no_lead: bool,
}

#[derive(Debug, ClapArgs)]
struct Simulate {
    /// Numbers of workers, joined by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "16,64,256,1024")]
    workers: Vec<usize>,
    /// How long a proof takes one worker that makes no wrong choice
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "6h")]
    size: Duration,
    /// Time of one job
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "1s")]
    slice: Duration,
    /// Lengths of jobs in seconds, one per line, to be used in place of even ones
    #[arg(long, value_name = "FILE")]
    lengths: Option<PathBuf>,
    /// Time from the end of a job to the beginning of the next
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "5ms")]
    latency: Duration,
    /// Time of the master for each job
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "0.3ms")]
    service: Duration,
    /// Games to simulate, by their seeds from 1
    #[arg(long, value_name = "N", default_value_t = 4)]
    games: u64,
    #[command(flatten)]
    scheduling: Scheduling,
    /// Full slices from the beginning
    #[arg(long)]
    no_ramp: bool,
}

/// Do it.
pub fn farm(context: &Context, farm: &Farm) -> Done {
    if let Action::Simulate(simulate) = &farm.action {
        return simulated(context, simulate);
    }
    let url = store(farm.store.as_deref())?;
    let mut out = io::stdout().lock();
    match &farm.action {
        Action::Init => {
            let new = Queue::init(&url)?;
            if context.json {
                json_line(&mut out, &Line::FarmMade(FarmMade { store: url.to_string(), new }))?;
            } else {
                writeln!(out, "{} {url}", if new { "a new farm in" } else { "there is a farm in" })?;
            }
            Ok(Exit::Answered)
        }
        Action::Submit(submit) => submitted(&mut out, context, &url, submit),
        Action::Work(work) => worked(&mut out, context, &url, work),
        Action::Lead { id } => {
            let solved = Queue::open(&url)?.lead(&context.registry, *id, &host(), &context.cancel()?)?;
            Ok(if solved { Exit::Answered } else { Exit::Unanswered })
        }
        Action::Status { id } => {
            let status = Queue::open(&url)?.status(*id)?;
            if context.json {
                json_line(&mut out, &Line::FarmStatus(status))?;
            } else {
                print(&mut out, &status)?;
            }
            Ok(Exit::Answered)
        }
        Action::Cancel { id } => {
            let jobs = Queue::open(&url)?.cancel(*id)?;
            if context.json {
                json_line(&mut out, &Line::FarmCancelled(FarmCancelled { submission: *id, jobs }))?;
            } else {
                writeln!(out, "submission {id} is called off; {} jobs were not done", HumanCount(jobs))?;
            }
            Ok(Exit::Answered)
        }
        Action::Results { id } => results(&mut out, context, &mut Queue::open(&url)?, *id),
        Action::Simulate(_) => Ok(Exit::Answered),
    }
}

/// Whether a text names a farm's database and not a file of verdicts.
pub fn is_url(text: &str) -> bool {
    ["sqlite:", "postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme))
}

/// The queue that was named. A password does not belong on the command line, which everybody on the machine can read.
pub fn store(named: Option<&str>) -> Result<StoreUrl, Error> {
    let variable = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
    let url: StoreUrl = match named {
        Some(text) => {
            let url: StoreUrl = text.parse()?;
            if url.has_password() {
                let message = "a password on the command line can be read by everybody on this machine";
                let hint = format!("put it into PGPASSWORD, or the whole URL into {STORE}");
                return Err(Error::new(ErrorCode::BadArguments, message, hint));
            }
            url
        }
        None => variable(STORE).as_deref().unwrap_or(DEFAULT).parse()?,
    };
    Ok(url.with_password(variable("PGPASSWORD").as_deref()))
}

/// What this machine is called, for lists of workers.
fn host() -> String {
    let named = fs::read_to_string("/etc/hostname").ok().or_else(|| std::env::var("COMPUTERNAME").ok());
    let named = named.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    named.unwrap_or_else(|| "somewhere".to_owned())
}

fn submitted(out: &mut impl Write, context: &Context, url: &StoreUrl, submit: &Submit) -> Done {
    if !(0.0..=1.0).contains(&submit.check) {
        let message = format!("{} is no share of the answers", submit.check);
        return Err(Error::new(ErrorCode::BadArguments, message, "a number from 0 to 1").into());
    }
    let game = context.open(&submit.at.spec)?;
    if let Some(solver) = &submit.effort.solver {
        context.registry.check_solver(&*game, solver)?;
    }
    let question = ludex_judge::Question {
        position: submit.at.position.clone(),
        seed: submit.at.seed,
        goal: submit.goal.into(),
        ..questions::question(&submit.effort)
    };
    let plan = Plan {
        slice: submit.slice.as_secs_f64(),
        nodes: submit.slice_nodes,
        sample: submit.check,
        seed: submit.check_seed,
        ahead: submit.scheduling.ahead.max(0.0),
        loss: submit.scheduling.loss.max(0.0),
        epsilon: submit.scheduling.epsilon.max(0.0),
        least: submit.scheduling.least.clamp(0.0, 1.0),
        ..Plan::default()
    };
    let mut queue = Queue::open(url)?;
    let (submission, jobs) = match &submit.positions {
        Some(file) => {
            let (id, jobs) = queue.submit_positions(&*game, &question, &plan, &lines(file)?)?;
            (id, Some(jobs))
        }
        None => (queue.submit_proof(&*game, &question, &plan)?, None),
    };
    if context.json {
        json_line(out, &Line::FarmSubmitted(FarmSubmitted { submission, jobs }))?;
    } else {
        let jobs = jobs.map_or(String::new(), |jobs| format!(", {} jobs", HumanCount(jobs)));
        writeln!(out, "submission {submission}{jobs}")?;
    }
    Ok(Exit::Answered)
}

/// The positions of a file.
fn lines(file: &Path) -> Result<Vec<String>, Failure> {
    let unread = || failed(format!("cannot read {}", file.display()));
    let text = if file == Path::new("-") {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).map_err(unread())?;
        text
    } else {
        fs::read_to_string(file).map_err(unread())?
    };
    let line = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    Ok(text.lines().map(line).filter(|line| !line.is_empty()).collect())
}

fn worked(out: &mut impl Write, context: &Context, url: &StoreUrl, work: &Work) -> Done {
    let cancel = context.cancel()?;
    let name = work.name.clone().unwrap_or_else(host);
    if !(1..=1024).contains(&work.workers) {
        let message = format!("{} workers", work.workers);
        return Err(Error::new(ErrorCode::BadArguments, message, "a number from 1 to 1024").into());
    }
    let worker = |i: usize| Worker {
        name: if work.workers == 1 { name.clone() } else { format!("{name} {}", i + 1) },
        lease: work.lease.max(Duration::from_secs(1)),
        memory: work.memory,
        batch: work.batch,
        until_done: work.until_done,
        leads: !work.no_lead,
        tables: context.tables.clone(),
        chores: chores::ALL,
    };
    // A database that cannot be used is said before anything is started.
    let mut queues = (0..work.workers).map(|_| Queue::open(url)).collect::<Result<Vec<_>, _>>()?;
    let ended: Vec<_> = std::thread::scope(|scope| {
        let started: Vec<_> = queues
            .iter_mut()
            .enumerate()
            .map(|(i, queue)| {
                let (worker, cancel) = (worker(i), &cancel);
                scope.spawn(move || worker.run(queue, &context.registry, cancel))
            })
            .collect();
        started.into_iter().map(|thread| thread.join()).collect()
    });
    let mut total = FarmWorked { jobs: 0, nodes: 0, busy: 0.0, seconds: 0.0 };
    for worked in ended {
        let worked = worked.map_err(|_| Error::new(ErrorCode::Internal, "a worker panicked", ""))??;
        total.jobs += worked.jobs;
        total.nodes += worked.nodes;
        total.busy += worked.busy;
        total.seconds = total.seconds.max(worked.seconds);
    }
    if context.json {
        json_line(out, &Line::FarmWorked(total))?;
    } else {
        let (jobs, nodes) = (HumanCount(total.jobs), HumanCount(total.nodes));
        writeln!(out, "{jobs} jobs, {nodes} nodes in {}", time(total.seconds))?;
    }
    Ok(Exit::Answered)
}

fn results(out: &mut impl Write, context: &Context, queue: &mut Queue, id: i64) -> Done {
    let status = queue.status(Some(id))?;
    let Some(it) = status.submissions.into_iter().next() else {
        return Err(Error::new(ErrorCode::NotFound, format!("there is no submission {id}"), "").into());
    };
    let game = context.registry.open_foreign(&it.game)?;
    match it.kind {
        Kind::Proof => return answer(out, context, &*game, it),
        Kind::Parts => {
            let (id, chore) = (it.id, it.about());
            let message =
                format!("submission {id} is the work of a command ({chore}), which takes the answers");
            return Err(Error::new(ErrorCode::BadKind, message, "give that command again").into());
        }
        Kind::Positions => {}
    }
    let mut exit = Exit::Answered;
    queue.positions::<Failure>(id, |text, outcome| {
        match outcome {
            Outcome::Answered(verdict) if context.json => json_line(out, &verdict)?,
            Outcome::Answered(verdict) => {
                let best = verdict.best.join(" ");
                writeln!(out, "{text}: {} best {best}", output::said(&*game, &verdict))?;
                if !verdict.is_solved() && exit == Exit::Answered {
                    exit = Exit::Unanswered;
                }
            }
            Outcome::Failed(error) => {
                exit = Exit::BadInput;
                if context.json {
                    json_line(out, &ErrorLine::from(error))?;
                } else {
                    writeln!(out, "{text}: error: {error} ({})", error.hint)?;
                }
            }
            Outcome::Open => {
                if exit == Exit::Answered {
                    exit = Exit::Unanswered;
                }
                let error = Error::new(
                    ErrorCode::Stopped,
                    "not answered yet",
                    "ludex farm status tells how far it is",
                );
                if context.json {
                    json_line(out, &ErrorLine::from(error))?;
                } else {
                    writeln!(out, "{text}: {error}")?;
                }
            }
        }
        Ok(())
    })?;
    Ok(exit)
}

/// The answer of a shared proof search.
fn answer(
    out: &mut impl Write,
    context: &Context,
    game: &dyn ludex_judge::AnyGame,
    it: SubmissionStatus,
) -> Done {
    if let Some(why) = it.failed {
        return Err(Error::contradiction(format!("submission {} failed: {why}", it.id)).into());
    }
    let Some(solved) = it.solved else {
        let message = format!("submission {} is {}", it.id, it.state);
        let hint = "ludex farm status tells how far it is";
        return Err(Error::new(ErrorCode::Stopped, message, hint).into());
    };
    let position = it.position.unwrap_or_default();
    let to_move = game.state(&position)?.to_move;
    let names = game.side_names();
    if context.json {
        json_line(
            out,
            &Line::FarmAnswer(FarmAnswer {
                submission: it.id,
                game: it.game,
                position,
                to_move,
                outcome: solved.outcome,
                jobs: solved.jobs,
                nodes: solved.nodes,
                workers: solved.workers,
                busy: solved.busy,
                seconds: it.seconds,
            }),
        )?;
    } else {
        let said = match solved.outcome.winner(to_move) {
            Some(side) => format!("{} wins with perfect play.", capital(names[side.index()])),
            None => "A draw with perfect play.".to_owned(),
        };
        writeln!(out, "{}\n{} to move: {said}", game.title(), names[to_move.index()])?;
        let (jobs, nodes) = (HumanCount(solved.jobs), HumanCount(solved.nodes));
        writeln!(out, "{nodes} nodes in {jobs} jobs, {} workers, {}", solved.workers, time(it.seconds))?;
    }
    Ok(Exit::Answered)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn print(out: &mut impl Write, status: &FarmStatus) -> io::Result<()> {
    writeln!(out, "farm in {}", status.store)?;
    for it in &status.submissions {
        writeln!(out, "\nsubmission {}: {} {}, {}", it.id, it.game, it.about(), it.state)?;
        let (waiting, running, done) = (HumanCount(it.waiting), HumanCount(it.running), HumanCount(it.done));
        let left = it.left.map_or(String::new(), |left| format!(", {} left", time(left)));
        writeln!(out, "  {done} done, {running} running, {waiting} waiting; {:.1} jobs/s{left}", it.rate)?;
        let (nodes, seconds) = (HumanCount(it.nodes), time(it.seconds));
        writeln!(
            out,
            "  {nodes} nodes, {seconds}, {} answers confirmed, {} to check",
            it.confirmed, it.to_check
        )?;
        if let Some(master) = &it.master {
            writeln!(out, "  led by {master}")?;
        }
        if let Some(solved) = &it.solved {
            writeln!(out, "  solved: a {} for who is to move", solved.outcome)?;
        }
        if let Some(why) = &it.failed {
            writeln!(out, "  failed: {why}")?;
        }
        if let Some(tree) = it.tree.as_ref().filter(|_| it.state == "open") {
            twig(out, tree, 1)?;
        }
    }
    if !status.workers.is_empty() {
        writeln!(out, "\nworkers")?;
    }
    for worker in &status.workers {
        let state = match (worker.trusted, worker.live) {
            (false, _) => "not trusted",
            (true, true) => "at work",
            (true, false) => "gone",
        };
        let why = worker.why.as_ref().map_or(String::new(), |why| format!(": {why}"));
        let (done, nodes) = (HumanCount(worker.done), HumanCount(worker.nodes));
        writeln!(out, "  {} {}: {state}, {done} jobs, {nodes} nodes{why}", worker.id, worker.name)?;
    }
    Ok(())
}

/// The top of a proof tree.
fn twig(out: &mut impl Write, it: &Twig, depth: usize) -> io::Result<()> {
    let number = |n: Option<f64>| n.map_or("∞".to_owned(), |n| format!("{n:.0}"));
    let (proof, disproof) = (number(it.proof), number(it.disproof));
    let text = it.text.as_deref().unwrap_or("start");
    let running = if it.running > 0 { format!(", {} running", it.running) } else { String::new() };
    let nodes = HumanCount(it.nodes);
    writeln!(
        out,
        "{:width$}{text}: {proof} to prove, {disproof} to disprove, {nodes} nodes{running}",
        "",
        width = 2 * depth
    )?;
    it.moves.iter().try_for_each(|below| twig(out, below, depth + 1))
}

fn simulated(context: &Context, it: &Simulate) -> Done {
    let mut model = Model {
        size: it.size.as_secs_f64(),
        slice: it.slice.as_secs_f64(),
        latency: it.latency.as_secs_f64(),
        service: it.service.as_secs_f64(),
        ahead: it.scheduling.ahead.max(0.0),
        loss: it.scheduling.loss.max(0.0),
        epsilon: it.scheduling.epsilon.max(0.0),
        ramp: !it.no_ramp,
        ..Model::default()
    };
    if let Some(file) = &it.lengths {
        let text = fs::read_to_string(file).map_err(failed(format!("cannot read {}", file.display())))?;
        let lengths: Vec<f64> = text.lines().filter_map(|line| line.trim().parse().ok()).collect();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        if longest <= 0.0 {
            let message = format!("{} holds no lengths", file.display());
            return Err(Error::new(ErrorCode::BadFile, message, "one number of seconds per line").into());
        }
        model.lengths = lengths.iter().map(|length| length / longest).collect();
    }
    let mut out = io::stdout().lock();
    if !context.json {
        writeln!(
            out,
            "{:>8} {:>12} {:>10} {:>9} {:>10}",
            "workers", "time", "jobs", "speedup", "efficiency"
        )?;
    }
    let games = || (1..=it.games.max(1)).map(|seed| Model { seed, ..model.clone() });
    let one = games().map(|model| simulate::simulate(&model, 1)).collect::<Result<Vec<_>, _>>()?;
    for &workers in &it.workers {
        if workers == 0 {
            return Err(Error::new(ErrorCode::BadArguments, "no workers at all", "at least 1").into());
        }
        let (mut seconds, mut jobs, mut logs) = (0.0, 0, 0.0);
        for (model, one) in games().zip(&one) {
            let run = simulate::simulate(&model, workers)?;
            seconds += run.seconds;
            jobs += run.jobs;
            logs += run.efficiency(one).ln();
        }
        // The geometric mean: a game with a lucky order counts no more than one with an unlucky one.
        let efficiency = (logs / one.len() as f64).exp();
        let (seconds, jobs) = (seconds / one.len() as f64, jobs / one.len() as u64);
        let speedup = efficiency * workers as f64;
        if context.json {
            let run = FarmSimulated { workers, seconds, jobs, speedup, efficiency };
            json_line(&mut out, &Line::FarmSimulated(run))?;
        } else {
            let jobs = HumanCount(jobs).to_string();
            writeln!(out, "{workers:>8} {:>12} {jobs:>10} {speedup:>9.1} {efficiency:>10.3}", time(seconds))?;
        }
    }
    Ok(Exit::Answered)
}
