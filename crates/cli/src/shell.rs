//! Completions and the manual page, made from the arguments themselves.

use std::io::{self, Write as _};

use clap::CommandFactory as _;

use crate::{
    args::Args,
    exit::{Done, Exit},
};

/// Print a completion script.
pub fn completions(shell: clap_complete::Shell) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "ludex", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Answered)
}

/// Print the manual page.
pub fn man() -> Done {
    let mut page = Vec::new();
    clap_mangen::Man::new(Args::command()).render(&mut page)?;
    io::stdout().write_all(&page)?;
    Ok(Exit::Answered)
}
