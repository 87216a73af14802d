//! How a command ends.

use std::{io, process::ExitCode};

use ludex_arena::{referee::RefereeFault, tournament::TournamentFault};
use ludex_judge::{InputError, Refusal, StoreError, table::TableFault, wire};

/// The exit code of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Answered.
    Answered = 0,
    /// Could not within the budget.
    Unanswered = 1,
    /// Bad input, somewhere; the rest was done.
    BadInput = 2,
    /// A check failed.
    CheckFailed = 3,
}

/// The end of a command.
pub type Done = anyhow::Result<Exit>;

/// Print an error, if there is one, and turn the end of a command into an exit code.
pub fn report(done: Done, json: bool) -> ExitCode {
    let error = match done {
        Ok(exit) => return ExitCode::from(exit as u8),
        Err(error) => error,
    };
    // Whoever reads us has seen enough.
    if error
        .chain()
        .any(|e| e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
    {
        return ExitCode::SUCCESS;
    }
    let (code, hint) = explain(&error);
    if json {
        println!("{}", wire::error(code, &format!("{error:#}"), &hint));
    } else {
        eprintln!("ludex: {error:#}");
        if !hint.is_empty() {
            eprintln!("       {hint}");
        }
    }
    ExitCode::from(2)
}

/// Say what is wrong with the arguments, or print the help that was asked for.
pub fn misread(error: &clap::Error, json: bool) -> ExitCode {
    if json && error.use_stderr() {
        let text = error.render().to_string();
        let lines = text.trim_start_matches("error: ").lines().map(str::trim);
        let fault: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        println!("{}", wire::error("bad_arguments", &fault.join(" "), "see ludex --help"));
    } else {
        // A reader that has gone away has seen enough.
        let _ = error.print();
    }
    ExitCode::from(error.exit_code() as u8)
}

fn explain(error: &anyhow::Error) -> (&'static str, String) {
    if let Some(e) = error.downcast_ref::<InputError>() {
        (e.code, e.hint.clone())
    } else if let Some(e) = error.downcast_ref::<Refusal>() {
        (e.code(), e.hint())
    } else if let Some(e) = error.downcast_ref::<TableFault>() {
        (e.code(), e.hint())
    } else if let Some(e) = error.downcast_ref::<TournamentFault>() {
        match e {
            TournamentFault::Input(e) => (e.code, e.hint.clone()),
            TournamentFault::Io { .. } => ("failed", String::new()),
        }
    } else if let Some(RefereeFault::Input(e)) = error.downcast_ref::<RefereeFault>() {
        (e.code, e.hint.clone())
    } else if let Some(e) = error.downcast_ref::<StoreError>() {
        ("bad_database", e.hint())
    } else {
        ("failed", String::new())
    }
}
