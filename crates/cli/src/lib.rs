//! The command line of Ludex, for any registry of games: arguments in, text or JSON lines out, an exit code.
//!
//! [`run`] is the whole program. The verbs for any game are modules here; those of single games are in `verbs`, and only
//! there where the registry has their game. What is printed with `--json` is defined in [`objects`].
#![forbid(unsafe_code)]

mod arena;
mod args;
mod assemble;
mod bench;
mod book;
mod chores;
mod context;
mod dataset;
mod db;
mod exit;
mod farm;
mod help;
#[cfg(feature = "mcp")]
mod mcp;
pub mod objects;
mod output;
mod play;
mod progress;
mod prompt;
mod proof;
mod questions;
mod review;
mod rules;
mod serve;
mod shell;
#[cfg(feature = "dataflow")]
mod spread;
mod study;
mod table;
#[cfg(not(feature = "mcp"))]
mod unbuilt;
mod units;
mod verbs;

use std::process::ExitCode;

use clap::FromArgMatches as _;
use ludex_judge::Registry;

use args::{Args, Common, Verb};
use context::Context;
use exit::{Done, Exit};
use questions::Ask;

/// Run the program on the arguments it was started with.
///
/// ```no_run
/// use ludex_judge::Registry;
/// use ludex_standard::Standard as _;
///
/// fn main() -> std::process::ExitCode {
///     ludex_cli::run(Registry::standard())
/// }
/// ```
#[must_use]
pub fn run(registry: Registry) -> ExitCode {
    let misread = |e: &clap::Error| exit::misread(e, std::env::args_os().any(|a| a == "--json"));
    let matches = match help::command(&registry).try_get_matches() {
        Ok(matches) => matches,
        Err(e) => return misread(&e),
    };
    let common = match Common::from_arg_matches(&matches) {
        Ok(common) => common,
        Err(e) => return misread(&e),
    };
    let mut context = Context::new(registry, &common);
    if let Some((verbs, matches)) = verbs::of(&matches) {
        context.json |= (verbs.json)(matches);
        return exit::report((verbs.run)(&context, matches), context.json);
    }
    match Args::from_arg_matches(&matches) {
        Ok(args) => exit::report(answer(&context, args.verb), context.json),
        Err(e) => misread(&e),
    }
}

fn answer(context: &Context, verb: Verb) -> Done {
    match verb {
        Verb::Solve(question) => questions::answer(context, &question, Ask::Solve),
        Verb::Analyze(question) => questions::answer(context, &question, Ask::Analyze),
        Verb::Explain(question) if proof::is_certificate(&question.at.spec) => {
            proof::explain(context, &question.at)
        }
        Verb::Explain(question) => questions::answer(context, &question, Ask::Explain),
        Verb::Prove(prove) => proof::prove(context, &prove),
        Verb::Check(check) => proof::check(context, &check),
        Verb::Proof(proof) => proof::proof(context, &proof),
        Verb::Openings(openings) => study::openings(context, &openings.spec).map(|_| Exit::Answered),
        Verb::Puzzle(puzzle) => study::puzzle(context, &puzzle),
        Verb::Play(play) => play::play(context, &play),
        Verb::Serve(serve) => serve::serve(context, &serve),
        #[cfg(feature = "mcp")]
        Verb::Mcp(asked) => mcp::mcp(context, &asked),
        #[cfg(not(feature = "mcp"))]
        Verb::Mcp(_) => unbuilt::unbuilt("mcp"),
        Verb::Replay(replay) => arena::replay(context, &replay),
        Verb::Review(review) => review::review(context, &review),
        Verb::Table(table) => table::table(context, &table),
        Verb::Book(book) => book::book(context, &book),
        Verb::Dataset(order) => dataset::dataset(context, &order),
        Verb::Db(db) => db::db(context, &db),
        Verb::Think(think) => study::think(context, &think.at, &think.thinking),
        Verb::Eval(eval) => study::eval(context, &eval),
        Verb::Engine(engine) => arena::engine(context, &engine),
        Verb::Referee(referee) => arena::referee(context, &referee),
        Verb::Tournament(tournament) => arena::tournament(context, &tournament),
        Verb::Farm(farm) => farm::farm(context, &farm),
        Verb::Games => rules::games(context),
        Verb::Rules { spec } => rules::rules(context, &spec),
        Verb::Show(show) => rules::show(context, &show),
        Verb::Perft(perft) => rules::perft(context, &perft),
        Verb::Complexity(complexity) => study::complexity(context, &complexity.spec, &complexity.sampling),
        Verb::Bench(bench) => bench::bench(context, &bench),
        Verb::Schema => help::schema(),
        Verb::Completions { shell } => shell::completions(context, shell),
        Verb::Man(man) => shell::man(context, &man),
    }
}
