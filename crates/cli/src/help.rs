//! The command as clap knows it: the verbs of every game, those of the games at hand, and a list of them in groups.

use std::{
    fmt::Write as _,
    io::{self, Write as _},
    path::PathBuf,
    sync::OnceLock,
};

use clap::{Command, CommandFactory as _};
use ludex_judge::Registry;

use crate::{
    args::{Args, GROUPS},
    exit::{Done, Exit},
    objects::Printed,
    verbs,
};

const CODES: &str = "Exit codes: 0 answered, 1 could not within the limits, 2 bad input, 3 a check failed,\n\
                     4 answered but not kept: the database or the checkpoint cannot be written.";

/// What the program is called: a game from elsewhere has a program with a name of its own.
pub fn program() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let path = std::env::args_os().next().map(PathBuf::from).unwrap_or_default();
        path.file_stem().and_then(|name| name.to_str()).unwrap_or("ludex").to_owned()
    })
}

/// Commands to begin with, on the first game that is there.
fn tries(registry: &Registry) -> String {
    let program = program();
    let spec = registry.families().find_map(|family| family.examples.first()).unwrap_or(&"SPEC");
    let tries = ["solve", "analyze", "play"].map(|verb| format!("{program} {verb} {spec}   "));
    format!("{}{program} VERB --help", tries.concat())
}

/// The command with the verbs of the games in a registry.
pub fn command(registry: &Registry) -> Command {
    let games: Vec<_> =
        verbs::ALL.iter().filter(|verbs| registry.families().any(|f| f.name == verbs.family)).collect();
    let mut command = Args::command();
    for verbs in &games {
        command = command.subcommand((verbs.command)());
    }
    let names: Vec<&str> = games.iter().map(|verbs| verbs.family).collect();
    let list = groups(&command, &names);
    command
        .name(program())
        .override_usage(format!("{} <VERB> [ARGUMENTS]", program()))
        .help_template("{about}\n\n{usage-heading} {usage}\n{before-help}\n{options}{after-help}")
        .before_help(list)
        .after_help(format!("{CODES}\nTry: {}", tries(registry)))
}

/// The verbs in groups, with what they do.
fn groups(command: &Command, games: &[&str]) -> String {
    let about = |name: &str| {
        let verb = command.get_subcommands().find(|c| c.get_name() == name && !c.is_hide_set());
        verb.and_then(Command::get_about).map(ToString::to_string)
    };
    let mut list = String::new();
    for (title, names) in GROUPS {
        // Writing to a string does not fail.
        let _ = writeln!(list, "\n{title}");
        let own: &[&str] = if *title == "Games" { games } else { &[] };
        for name in names.iter().chain(own) {
            let about = about(name).or_else(|| (*name == "help").then(|| "Help for a verb".to_owned()));
            // A verb of a feature that was left out.
            let Some(about) = about else { continue };
            let _ = writeln!(list, "  {name:<12} {about}");
        }
    }
    list
}

/// Print the JSON Schema of everything that is printed.
pub fn schema() -> Done {
    let mut text = serde_json::to_string_pretty(&schemars::schema_for!(Printed)).map_err(io::Error::from)?;
    text.push('\n');
    io::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Answered)
}

#[cfg(test)]
mod tests {
    use ludex_standard::Standard as _;

    use super::*;

    #[test]
    fn every_verb_is_in_one_group() {
        let registry = Registry::standard();
        let command = command(&registry);
        command.clone().debug_assert();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        grouped.extend(verbs::ALL.iter().map(|verbs| verbs.family));
        for verb in command.get_subcommands() {
            let times = grouped.iter().filter(|name| **name == verb.get_name()).count();
            assert_eq!(times, 1, "{}", verb.get_name());
        }
    }

    /// A game's verbs are there if the game is.
    #[test]
    fn verbs_of_games_that_are_not_there_are_not_either() {
        let none = command(&Registry::new());
        assert!(none.get_subcommands().all(|c| verbs::ALL.iter().all(|verbs| verbs.family != c.get_name())));
        assert!(none.get_subcommands().any(|c| c.get_name() == "solve"));
    }
}
