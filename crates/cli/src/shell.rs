//! Completions and the manual page, made from the arguments themselves.

use std::io::{self, Write as _};

use crate::{
    context::Context,
    exit::{Done, Exit},
    help::command,
};

/// Print a completion script.
pub fn completions(context: &Context, shell: clap_complete::Shell) -> Done {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(&context.registry), "ludex", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Answered)
}

/// Print the manual page.
pub fn man(context: &Context) -> Done {
    let mut page = Vec::new();
    clap_mangen::Man::new(command(&context.registry)).render(&mut page)?;
    io::stdout().write_all(&page)?;
    Ok(Exit::Answered)
}
