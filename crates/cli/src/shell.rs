//! Completions and manual pages, made from the arguments themselves.

use std::io::{self, Write as _};

use clap::{Arg, Command, builder::PossibleValuesParser};
use ludex_arena::levels::LEVELS;
use ludex_core::{Error, ErrorCode};
use ludex_judge::{Registry, SOLVERS};

use crate::{
    args::Man,
    context::Context,
    exit::{Done, Exit, failed},
    help::{command, program},
};

/// Print a completion script.
pub fn completions(context: &Context, shell: clap_complete::Shell) -> Done {
    let mut script = Vec::new();
    let mut command = Values::of(&context.registry).told(command(&context.registry));
    clap_complete::generate(shell, &mut command, program(), &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Answered)
}

/// What arguments can be. The arguments themselves take any text, since a spec has parameters and a game may have players
/// and solvers of its own.
struct Values {
    games: Vec<&'static str>,
    specs: Vec<&'static str>,
    players: Vec<&'static str>,
    solvers: Vec<&'static str>,
}

impl Values {
    fn of(registry: &Registry) -> Self {
        let games: Vec<_> = registry.families().map(|family| family.name).collect();
        let aliases = registry.families().flat_map(|family| family.aliases).map(|(word, _)| *word);
        let solvers = SOLVERS.iter().copied();
        Self {
            specs: games.iter().copied().chain(aliases).collect(),
            games,
            players: LEVELS.iter().map(|level| level.name).collect(),
            solvers: std::iter::once("auto").chain(solvers).collect(),
        }
    }

    /// A command whose arguments list their values, for the completion of words only.
    fn told(&self, command: Command) -> Command {
        command.mut_args(|arg| self.listed(arg)).mut_subcommands(|verb| self.told(verb))
    }

    fn listed(&self, arg: Arg) -> Arg {
        let values = match arg.get_id().as_str() {
            "spec" => &self.specs,
            "games" if arg.is_positional() => &self.games,
            "player" | "players" | "level" => &self.players,
            "solver" => &self.solvers,
            _ => return arg,
        };
        let usual = arg.get_default_values().iter().all(|usual| values.iter().any(|value| *value == *usual));
        if usual { arg.value_parser(PossibleValuesParser::new(values)) } else { arg }
    }
}

/// Print a manual page, or write them all.
pub fn man(context: &Context, man: &Man) -> Done {
    let mut command = command(&context.registry);
    if let Some(folder) = &man.out {
        let unwritten = || failed(format!("cannot write to {}", folder.display()));
        std::fs::create_dir_all(folder).map_err(unwritten())?;
        clap_mangen::generate_to(command, folder).map_err(unwritten())?;
        return Ok(Exit::Answered);
    }
    command.build();
    let mut shown = &command;
    for verb in &man.verb {
        shown = shown.find_subcommand(verb).ok_or_else(|| {
            let hint = format!("see {} --help", shown.get_bin_name().unwrap_or(program()));
            Error::new(ErrorCode::BadArguments, format!("there is no verb '{verb}'"), hint)
        })?;
    }
    let mut page = Vec::new();
    clap_mangen::Man::new(shown.clone()).render(&mut page)?;
    io::stdout().write_all(&page)?;
    Ok(Exit::Answered)
}
