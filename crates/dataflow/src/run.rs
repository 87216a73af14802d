//! A build from its beginning to its end, through the loss of other processes.

use std::{
    fs,
    net::{Shutdown, TcpStream},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use ludex_core::{Cancel, Error, ErrorCode, Goal};
use ludex_search::retrograde::{Plan, Positions};
use ludex_store::{
    AtomicFile,
    tablebase::{Builder, Heading},
};
use timely::{
    CommunicationConfig, WorkerConfig,
    communication::{
        AllocatorBuilder, Hooks,
        allocator::{ProcessBuilder, zero_copy::initialize::initialize_networking_from_sockets},
    },
};

use crate::{
    Built, Order,
    exchange::Exchange,
    fault,
    job::{End, Job},
    line::Line,
    meeting::{Greeting, Met, farewell, meet},
    process_path, status,
    watch::{Step, Watch},
};

/// Build a table together with the other processes of the layout, telling how far it is now and then.
///
/// # Errors
/// If it does not fit into the memory, the files are those of another build, another process builds something else or
/// does not come in time, a file fails, or it was called off.
pub fn build(positions: Positions, order: &Order, report: &mut dyn FnMut(&Step)) -> Result<Built, Error> {
    if order.out.is_dir() {
        let message = format!("{} is a folder", order.out.display());
        return Err(Error::new(ErrorCode::BadFile, message, "name the file to write"));
    }
    let start = Instant::now();
    let heading = heading(&positions, order);
    check_memory(&positions, order)?;
    let (layout, cancel) = (order.layout.clone(), order.cancel.clone());
    let path = process_path(&order.out, layout.process);
    let builder = Builder::open(&path, &heading)?;
    let job = Arc::new(Job::new(positions, heading, order.memory, layout, builder));
    check_layout(&job)?;
    let watch = Arc::new(Mutex::new(new_watch(&job, &cancel, start)));
    let current = Arc::clone(&watch);
    let theirs = Arc::clone(&job);
    let running = thread::Builder::new()
        .name("dataflow".into())
        .spawn(move || all_runs(&theirs, &cancel, start, &current))
        .map_err(|e| Error::new(ErrorCode::Failed, format!("no thread can be started: {e}"), ""))?;
    let mut told: Option<Instant> = None;
    let look = || watch.lock().unwrap_or_else(PoisonError::into_inner).step();
    while !running.is_finished() {
        thread::sleep(Duration::from_millis(20));
        let step = look();
        report(&step);
        if told.is_none_or(|at| at.elapsed() > Duration::from_secs(1)) && step.phase != "joining" {
            told = Some(Instant::now());
            status::write(&job, &step);
        }
    }
    let end = running.join().map_err(|_| fault("the build panicked"))??;
    if job.process() != 0 {
        // The table is whole; what this process kept for it goes.
        let folder = job.folder.clone();
        drop(job);
        fs::remove_dir_all(&folder).map_err(crate::pile::io_error(&folder))?;
    }
    let step = look();
    Ok(Built {
        numbering: end.1,
        tiers: end.0.done.tiers,
        resumed: end.0.done.resumed,
        positions: end.0.done.positions,
        bytes: end.0.bytes,
        digest: end.0.digest,
        sent: step.sent,
        time: step.time,
    })
}

fn heading(positions: &Positions, order: &Order) -> Heading {
    let heading = Heading {
        spec: order.spec.clone(),
        goal: order.goal.word().into(),
        value_bits: if order.goal == Goal::Wdl { 2 } else { 8 },
        ..Heading::default()
    };
    match positions {
        Positions::Numbered(_) => heading,
        Positions::Listed(listed) => {
            Heading { numbering: "keys".into(), key_bytes: listed.key_len(), block: 1 << 12, ..heading }
        }
    }
}

/// Lists are moved to disk where memory ends; a numbering needs whole tiers.
fn check_memory(positions: &Positions, order: &Order) -> Result<(), Error> {
    let workers = order.layout.workers as u64;
    let needed = match positions {
        Positions::Listed(_) => workers * (4 << 20),
        Positions::Numbered(numbered) => {
            let largest = numbered.tiers().iter().map(|tier| tier.len).max().unwrap_or(0);
            Plan::of(numbered.tiers()).peak
                + largest
                + largest / 2
                + workers * numbered.workspace()
                + (8 << 20)
        }
    };
    if needed <= order.memory {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::OutOfMemory,
        format!("this takes {needed} bytes of memory in every process, and {} are allowed", order.memory),
        format!("allow --memory {}MiB, or take a smaller board", needed.div_ceil(1 << 20)),
    ))
}

/// A folder was begun for so many workers, and their files are of use to no other number.
fn check_layout(job: &Job) -> Result<(), Error> {
    let layout =
        format!("process {} of {}, {} workers each\n", job.process(), job.processes(), job.layout.workers);
    let path = job.folder.join("layout");
    match fs::read_to_string(&path) {
        Ok(found) if found == layout => Ok(()),
        Ok(found) => Err(Error::new(
            ErrorCode::TableInTheWay,
            format!(
                "{} was begun as {}, and this is {}",
                job.folder.display(),
                found.trim_end(),
                layout.trim_end()
            ),
            "go on with the same --workers, --processes and --process, or remove that folder",
        )),
        Err(_) => AtomicFile::write(&path, layout.as_bytes()).map_err(crate::pile::io_error(&path)),
    }
}

fn new_watch(job: &Job, cancel: &Cancel, start: Instant) -> Arc<Watch> {
    Arc::new(Watch::new(cancel.clone(), start, job.layout.workers, job.layout.hosts.clone()))
}

/// Run, and when another process is lost, meet again and run again.
fn all_runs(
    job: &Arc<Job>,
    cancel: &Cancel,
    start: Instant,
    current: &Mutex<Arc<Watch>>,
) -> Result<(End, String), Error> {
    loop {
        let watch = new_watch(job, cancel, start);
        *current.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&watch);
        let sockets = if job.processes() > 1 {
            match meet(&greeting(job), &job.layout.hosts, job.layout.wait, cancel)? {
                Met::All(sockets) => sockets,
                Met::Over(end) => return Ok((end, job.heading.numbering.clone())),
            }
        } else {
            Vec::new()
        };
        match one_run(job, &watch, sockets) {
            // Once the table is in its place it is the end, for those that come back too.
            Err(error) if job.end().is_some() => {
                let end = job.end().ok_or_else(|| fault("no end"))?;
                if error.code == ErrorCode::PeerLost {
                    farewell(&greeting(job), &job.layout.hosts, job.layout.wait, cancel, &end);
                }
                return Ok((end, job.heading.numbering.clone()));
            }
            Err(error) if error.code == ErrorCode::PeerLost && !cancel.is_cancelled() => job.forget(),
            result => return result.map(|end| (end, job.heading.numbering.clone())),
        }
    }
}

fn greeting(job: &Job) -> Greeting {
    let heading = &job.heading;
    Greeting {
        process: job.process(),
        lines: vec![
            ("program", heading.program.clone()),
            ("game", heading.spec.clone()),
            ("goal", heading.goal.clone()),
            ("numbering", heading.numbering.clone()),
            ("processes", job.processes().to_string()),
            ("workers", job.layout.workers.to_string()),
        ],
    }
}

/// Why a worker panicked: timely does so when a connection fails under it, and that has been noticed by then.
fn why(watch: &Watch) -> Error {
    watch.check().err().unwrap_or_else(|| fault("a worker panicked"))
}

/// Start the workers of this process, connected to those of the others, and wait for their end.
fn one_run(job: &Arc<Job>, watch: &Arc<Watch>, sockets: Vec<Option<TcpStream>>) -> Result<End, Error> {
    let workers = job.layout.workers;
    let failed = |what: String| Error::new(ErrorCode::Failed, what, "");
    let mut lines = Vec::new();
    let (builders, guard) = if sockets.is_empty() {
        let config = CommunicationConfig::Process(workers);
        (config.try_build().map_err(failed)?.0, None)
    } else {
        let io = |e: std::io::Error| failed(e.to_string());
        for socket in sockets.iter().flatten() {
            lines.push(socket.try_clone().map_err(io)?);
        }
        let each = sockets.into_iter().enumerate();
        let each =
            each.map(|(process, socket)| Some(Line::new(socket?, process, Arc::clone(watch)))).collect();
        let hooks = Hooks::default();
        let inside = ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), None);
        let (builders, guard) =
            initialize_networking_from_sockets(inside, each, job.process(), workers, hooks).map_err(io)?;
        (builders.into_iter().map(AllocatorBuilder::Tcp).collect(), Some(guard))
    };
    let (theirs, seen) = (Arc::clone(job), Arc::clone(watch));
    let running =
        timely::execute::execute_from(builders, Box::new(()), WorkerConfig::default(), move |worker| {
            let mut exchange = Exchange::new(worker, Arc::clone(&seen));
            let result = catch_unwind(AssertUnwindSafe(|| theirs.work(&mut exchange)))
                .unwrap_or_else(|_| Err(fault("a worker panicked")));
            if let Err(error) = &result {
                seen.fail(error);
            }
            exchange.leave(result.is_ok());
            result
        });
    let results = running.map_err(failed)?.join();
    let mut end = Err(fault("there is no worker"));
    for result in results {
        end = result.unwrap_or_else(|_| Err(why(watch)));
        if end.is_err() {
            break;
        }
    }
    if end.is_ok() {
        // What was said last is on its way to the others before this process may end.
        drop(guard);
    } else {
        // The threads that serve the connections sleep from here on; nobody waits for them.
        std::mem::forget(guard);
        for line in &lines {
            let _ = line.shutdown(Shutdown::Both);
        }
    }
    end
}
