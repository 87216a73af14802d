//! `solve`, `analyze` and `explain`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    sync::Arc,
};

use ludex_core::{Budget, Error, ErrorCode, Goal, Status};
use ludex_farm::Verdicts;
use ludex_judge::{
    AnyGame, Checkpoint, Memory, Question, Store, Terms,
    answer::{Analysis, ErrorLine, Explanation, Verdict},
};
use serde::Serialize;

use crate::{
    args::{self, Effort, StopRule},
    context::Context,
    db,
    exit::{self, Done, Exit, Failure, failed},
    farm,
    help::program,
    output,
    progress::Display,
    proof,
};

/// What is asked of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// Who wins.
    Solve,
    /// Every move's value.
    Analyze,
    /// Why.
    Explain,
}

/// Answer a question.
pub fn answer(context: &Context, asked: &args::Question, ask: Ask) -> Done {
    let game = context.open(&asked.spec())?;
    if let Some(solver) = &asked.effort.solver {
        context.registry.check_solver(&*game, solver)?;
    }
    let display = Display::new(asked.effort.progress);
    let goal = match asked.goal {
        Some(goal) => goal.into(),
        None if ask == Ask::Analyze => game.usual_goal(),
        None => Goal::Wdl,
    };
    let mut question = Question {
        position: asked.at.position.clone(),
        seed: asked.at.seed,
        goal,
        ..question(&asked.effort)
    };
    if asked.shorthands.stop == Some(StopRule::Paper) {
        question.without.push("selfridge".to_owned());
    }
    let checkpoint = asked.checkpoint.clone().map(|file| Checkpoint { file, every: asked.every });
    let terms = Terms {
        checkpoint,
        progress: display.reporter(),
        memory: memory(&asked.effort)?,
        ..context.terms()?
    };
    let mut out = io::stdout().lock();
    if let Some(file) = &asked.positions {
        return each_line(&mut out, context, &*game, (question, terms), file, ask);
    }
    let answer = Reply::to(&*game, &question, &terms, ask)?;
    drop(display);
    if context.json {
        output::json_line(&mut out, &answer)?;
    } else {
        match &answer {
            Reply::Verdict(verdict) => output::verdict(&mut out, &*game, verdict)?,
            Reply::Analysis(analysis) => output::analysis(&mut out, &*game, analysis)?,
            Reply::Explanation(explanation) => output::explanation(&mut out, &*game, explanation)?,
        }
    }
    out.flush()?;
    drop(out);
    if let Some(file) = &asked.proof {
        if ask != Ask::Solve {
            let message = "only solve writes a certificate";
            return Err(Error::new(ErrorCode::BadArguments, message, "use solve, or prove").into());
        }
        if answer.solved() {
            proof::write(context, &asked.at, &[], (2, None), &asked.effort, (file, None))?;
        }
    }
    exit::warn(answer.warnings());
    Ok(match answer.solved() {
        _ if !answer.is_kept() => Exit::NotKept,
        true => Exit::Answered,
        false => Exit::Unanswered,
    })
}

#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Verdict(Box<Verdict>),
    Analysis(Box<Analysis>),
    Explanation(Box<Explanation>),
}

impl Reply {
    fn to(game: &dyn AnyGame, question: &Question, terms: &Terms, ask: Ask) -> Result<Self, Error> {
        Ok(match ask {
            Ask::Solve => Self::Verdict(Box::new(game.solve(question, terms)?)),
            Ask::Analyze => Self::Analysis(Box::new(game.analyze(question, terms)?)),
            Ask::Explain => Self::Explanation(Box::new(game.explain(question, terms)?)),
        })
    }

    fn solved(&self) -> bool {
        match self {
            Self::Verdict(verdict) => verdict.is_solved(),
            Self::Analysis(analysis) => analysis.verdict.is_solved(),
            Self::Explanation(explanation) => explanation.status == Status::Solved,
        }
    }

    /// What went wrong without harm to it.
    fn warnings(&self) -> &[Error] {
        match self {
            Self::Verdict(verdict) => &verdict.warnings,
            Self::Analysis(analysis) => &analysis.verdict.warnings,
            Self::Explanation(explanation) => &explanation.warnings,
        }
    }

    /// Whether what was to be written could be.
    fn is_kept(&self) -> bool {
        let lost = [ErrorCode::BadDatabase, ErrorCode::BadCheckpoint];
        self.warnings().iter().all(|warning| !lost.contains(&warning.code))
    }

    /// In one line.
    fn short(&self, game: &dyn AnyGame) -> String {
        match self {
            Self::Verdict(verdict) => {
                format!("{} best {}", output::said(game, verdict), verdict.best.join(" "))
            }
            Self::Analysis(analysis) => {
                let verdict = &analysis.verdict;
                format!("{} best {}", output::said(game, verdict), verdict.best.join(" "))
            }
            Self::Explanation(explanation) => {
                let reasons = explanation.reasons.iter().map(|reason| reason.said.text.as_str());
                std::iter::once(explanation.verdict.as_str()).chain(reasons).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// One position per line, one answer per line, in order.
fn each_line(
    out: &mut impl Write,
    context: &Context,
    game: &dyn AnyGame,
    (mut question, terms): (Question, Terms),
    file: &Path,
    ask: Ask,
) -> Done {
    let unread = || failed(format!("cannot read {}", file.display()));
    let input: Box<dyn BufRead> = if file == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(file).map_err(unread())?))
    };
    let mut exit = Exit::Answered;
    for line in input.lines() {
        let line = line.map_err(unread())?;
        let text = line.split('#').next().unwrap_or_default().trim();
        if text.is_empty() {
            continue;
        }
        question.position = Some(text.to_owned());
        match Reply::to(game, &question, &terms, ask) {
            Ok(answer) => {
                if context.json {
                    output::json_line(out, &answer)?;
                } else {
                    writeln!(out, "{text}: {}", answer.short(game))?;
                }
                // What cannot be written for one line cannot for the next, and is said once.
                if exit != Exit::NotKept {
                    exit::warn(answer.warnings());
                }
                if !answer.is_kept() && exit == Exit::Answered {
                    exit = Exit::NotKept;
                }
            }
            // What is wrong with a line is said in its place; a database or a program that fails ends it all.
            Err(error)
                if error.code.exit() == Exit::BadInput as u8 && error.code != ErrorCode::BadDatabase =>
            {
                exit = Exit::BadInput;
                if context.json {
                    output::json_line(out, &ErrorLine::from(error))?;
                } else {
                    writeln!(out, "{text}: error: {error} ({})", error.hint)?;
                }
                continue;
            }
            Err(error) => return Err(error.into()),
        }
        out.flush()?;
        if terms.cancel.is_cancelled() {
            return Ok(Exit::Unanswered);
        }
    }
    Ok(exit)
}

/// A question with the limits and switches of the command line.
pub fn question(effort: &Effort) -> Question {
    Question {
        budget: Budget {
            time: effort.time,
            nodes: effort.nodes,
            memory: effort.memory,
            threads: effort.threads,
        },
        solver: effort.solver.clone(),
        without: effort.without.clone(),
        tables: !effort.no_table,
        book: !effort.no_book,
        ..Question::default()
    }
}

/// The database that was named, or the usual one if it can be had.
pub fn memory(effort: &Effort) -> Result<Option<Arc<dyn Memory>>, Failure> {
    if effort.no_db {
        return Ok(None);
    }
    if let Some(url) = effort.db.as_ref().and_then(|path| path.to_str()).filter(|url| farm::is_url(url)) {
        return Ok(Some(Arc::new(Verdicts::open(&farm::store(Some(url))?)?)));
    }
    if let Some(path) = &effort.db {
        return Ok(Some(Arc::new(Store::open(path)?)));
    }
    match db::default_store() {
        Ok(store) => Ok(store.map(|store| Arc::new(store) as Arc<dyn Memory>)),
        Err(Failure::Error(error)) => {
            eprintln!("{}: going on without the database: {error}", program());
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}
