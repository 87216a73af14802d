//! `solve` and `analyze`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::Context as _;
use ludex_judge::{AnyGame, Budget, Cancel, Checkpoint, Goal, Job, Refusal, Store, open, wire};

use crate::{
    args::{self, Effort, Question},
    db,
    exit::{Done, Exit},
    output,
    progress::Display,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Solve,
    Analyze,
}

/// Who wins.
pub fn solve(question: &Question) -> Done {
    answer(question, Verb::Solve)
}

/// Every move's value.
pub fn analyze(question: &Question) -> Done {
    answer(question, Verb::Analyze)
}

fn answer(question: &Question, verb: Verb) -> Done {
    let game = open(&question.spec())?;
    let display = Display::new(question.effort.progress, &*game);
    let goal = match question.goal {
        Some(args::Goal::Wdl) => Goal::Wdl,
        Some(args::Goal::Distance) => Goal::Distance,
        None if verb == Verb::Solve => Goal::Wdl,
        None => game.usual_goal(),
    };
    let mut job = Job {
        position: question.place.position.clone(),
        seed: question.place.seed,
        goal,
        checkpoint: question.checkpoint.clone().map(|file| Checkpoint { file, every: question.every }),
        progress: display.reporter(),
        ..job(&question.effort)?
    };
    if question.stop == Some(crate::verbs::seven::StopRule::Paper) {
        job.without.push("selfridge".to_owned());
    }
    let mut out = io::stdout().lock();
    match &question.positions {
        Some(file) => each_line(&mut out, &*game, job, file, question.effort.json, verb),
        None => {
            let answer = ask(&*game, &job, verb)?;
            drop(display);
            if question.effort.json {
                answer.print_json(&mut out)?;
            } else {
                match &answer {
                    Answer::Verdict(v) => output::verdict(&mut out, &*game, v)?,
                    Answer::Analysis(a) => output::analysis(&mut out, &*game, a)?,
                }
            }
            out.flush()?;
            Ok(if answer.solved() { Exit::Answered } else { Exit::Unanswered })
        }
    }
}

enum Answer {
    Verdict(Box<wire::Verdict>),
    Analysis(Box<wire::Analysis>),
}

impl Answer {
    fn verdict(&self) -> &wire::Verdict {
        match self {
            Answer::Verdict(v) => v,
            Answer::Analysis(a) => &a.verdict,
        }
    }

    fn solved(&self) -> bool {
        self.verdict().status == "solved"
    }

    fn print_json(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match self {
            Answer::Verdict(v) => output::json_line(out, v),
            Answer::Analysis(a) => output::json_line(out, a),
        }
    }
}

fn ask(game: &dyn AnyGame, job: &Job, verb: Verb) -> Result<Answer, Refusal> {
    Ok(match verb {
        Verb::Solve => Answer::Verdict(Box::new(game.solve(job)?)),
        Verb::Analyze => Answer::Analysis(Box::new(game.analyze(job)?)),
    })
}

/// One position per line, one answer per line, in order.
fn each_line(
    out: &mut impl Write,
    game: &dyn AnyGame,
    mut job: Job,
    file: &Path,
    json: bool,
    verb: Verb,
) -> Done {
    let input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).with_context(|| format!("cannot read {}", file.display()))?))
    };
    let mut exit = Exit::Answered;
    for line in input.lines() {
        let line = line.with_context(|| format!("cannot read {}", file.display()))?;
        let text = line.split('#').next().unwrap_or_default().trim();
        if text.is_empty() {
            continue;
        }
        job.position = Some(text.to_owned());
        match ask(game, &job, verb) {
            Ok(answer) if json => answer.print_json(out)?,
            Ok(answer) => {
                let verdict = answer.verdict();
                writeln!(out, "{text}: {} best {}", output::said(game, verdict), verdict.best.join(" "))?;
            }
            Err(Refusal::Input(e)) => {
                exit = Exit::BadInput;
                if json {
                    output::json_line(out, &wire::input_error(&e))?;
                } else {
                    writeln!(out, "{text}: error: {e} ({})", e.hint)?;
                }
                continue;
            }
            Err(e) => return Err(e.into()),
        }
        out.flush()?;
        if job.cancel.is_cancelled() {
            return Ok(Exit::Unanswered);
        }
    }
    Ok(exit)
}

/// A job with the limits and switches of the command line.
pub fn job(effort: &Effort) -> anyhow::Result<Job> {
    Ok(Job {
        budget: Budget {
            time: effort.time,
            nodes: effort.nodes,
            memory: effort.memory,
            threads: effort.threads,
        },
        solver: effort.solver.clone(),
        without: effort.without.clone(),
        store: if effort.no_db { None } else { store(effort)? },
        tables: !effort.no_table,
        book: !effort.no_book,
        cancel: stopped_by_ctrl_c()?,
        ..Job::default()
    })
}

/// The database that was named, or the usual one if it can be had.
fn store(effort: &Effort) -> anyhow::Result<Option<Arc<Store>>> {
    if let Some(path) = &effort.db {
        return Ok(Some(Arc::new(Store::open(path)?)));
    }
    match db::default_store() {
        Ok(store) => Ok(store.map(Arc::new)),
        Err(e) => {
            eprintln!("ludex: going on without the database: {e:#}");
            Ok(None)
        }
    }
}

/// A flag that Ctrl-C raises; a second Ctrl-C ends the program at once.
pub fn stopped_by_ctrl_c() -> anyhow::Result<Cancel> {
    static INSTALLED: AtomicBool = AtomicBool::new(false);
    let cancel = Cancel::new();
    if !INSTALLED.swap(true, Ordering::SeqCst) {
        let raised = cancel.clone();
        ctrlc::set_handler(move || {
            if raised.is_cancelled() {
                std::process::exit(130);
            }
            raised.cancel();
        })?;
    }
    Ok(cancel)
}
