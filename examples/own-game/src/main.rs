//! The `ludex` program with one more game.

use ludex::prelude::*;

fn main() -> std::process::ExitCode {
    ludex::cli::run(Registry::standard().with(&own_game::FAMILY, own_game::of_spec))
}
