//! How a command ends.

use std::{fmt::Display, io, process::ExitCode};

use ludex_core::{Error, ErrorCode};
use ludex_judge::{StoreError, answer::ErrorLine};

/// The exit code of a command that ran to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Answered.
    Answered = 0,
    /// Could not within the limits.
    Unanswered = 1,
    /// Bad input, somewhere; the rest was done.
    BadInput = 2,
    /// A check failed.
    CheckFailed = 3,
    /// Answered, but the database or the checkpoint could not be written.
    NotKept = 4,
}

/// Why a command did not run to its end.
#[derive(Debug)]
pub enum Failure {
    /// Something was wrong.
    Error(Error),
    /// Whoever reads us has seen enough.
    ReaderGone,
}

/// The end of a command.
pub type Done = Result<Exit, Failure>;

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Error(error.into())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::Error(Error::new(ErrorCode::Failed, error.to_string(), "")),
        }
    }
}

/// An error of the system, said of what failed: `cannot read FILE: …`.
pub fn failed(what: impl Display) -> impl FnOnce(io::Error) -> Failure {
    move |error| Error::new(ErrorCode::Failed, format!("{what}: {error}"), "").into()
}

/// Print an error, if there is one, and turn the end of a command into an exit code.
pub fn report(done: Done, json: bool) -> ExitCode {
    let error = match done {
        Ok(exit) => return ExitCode::from(exit as u8),
        Err(Failure::ReaderGone) => return ExitCode::SUCCESS,
        Err(Failure::Error(error)) => error,
    };
    let code = ExitCode::from(error.code.exit());
    if json {
        print(error);
    } else {
        eprintln!("{}: {}", crate::help::program(), error.message);
        if !error.hint.is_empty() {
            eprintln!("       {}", error.hint);
        }
    }
    code
}

/// Say what went wrong without harm to an answer.
pub fn warn(warnings: &[Error]) {
    for Error { message, hint, .. } in warnings {
        eprintln!("{}: warning: {message}\n       {hint}", crate::help::program());
    }
}

/// Say what is wrong with the arguments, or print the help that was asked for.
pub fn misread(error: &clap::Error, json: bool) -> ExitCode {
    if json && error.use_stderr() {
        let text = error.render().to_string();
        let lines = text.trim_start_matches("error: ").lines().map(str::trim);
        let fault: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
        print(Error::new(ErrorCode::BadArguments, fault.join(" "), "see ludex --help"));
    } else {
        // A reader that has gone away has seen enough.
        let _ = error.print();
    }
    ExitCode::from(error.exit_code() as u8)
}

fn print(error: Error) {
    // A reader that has gone away has seen enough.
    let _ = crate::output::json_line(&mut io::stdout().lock(), &ErrorLine::from(error));
}
