//! `ludex`: arguments in, text or JSON lines out, an exit code.
mod arena;
mod args;
mod bench;
mod db;
mod exit;
mod output;
mod play;
mod progress;
mod questions;
mod rules;
mod serve;
mod shell;
mod table;
mod units;
mod verbs;

use clap::Parser as _;

use args::{Args, Verb};

fn main() -> std::process::ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(e) => return exit::misread(&e, std::env::args_os().any(|a| a == "--json")),
    };
    let json = args.wants_json();
    exit::report(run(args), json)
}

fn run(args: Args) -> exit::Done {
    match args.verb {
        Verb::Games { json } => rules::games(json),
        Verb::Show(show) => rules::show(&show),
        Verb::Perft(perft) => rules::perft(&perft),
        Verb::Solve(question) => questions::solve(&question),
        Verb::Analyze(question) => questions::analyze(&question),
        Verb::Play(play) => play::play(&play),
        Verb::Serve(serve) => serve::serve(&serve),
        Verb::Bench(bench) => bench::bench(&bench),
        Verb::Db(db) => db::db(&db),
        Verb::Table(table) => table::table(&table),
        Verb::Engine(engine) => arena::engine(&engine),
        Verb::Referee(referee) => arena::referee(&referee),
        Verb::Tournament(tournament) => arena::tournament(&tournament),
        Verb::Replay(replay) => arena::replay(&replay),
        Verb::Connect4(connect4) => verbs::connect4::run(&connect4),
        Verb::Seven(seven) => verbs::seven::seven(&seven),
        Verb::Nex(nex) => verbs::nex::nex(&nex),
        Verb::Collapsi(collapsi) => verbs::collapsi::run(&collapsi),
        Verb::Completions { shell } => shell::completions(shell),
        Verb::Man => shell::man(),
    }
}
