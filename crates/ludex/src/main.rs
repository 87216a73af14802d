//! `ludex`, the program.

use ludex::prelude::{Registry, Standard as _};

fn main() -> std::process::ExitCode {
    ludex::cli::run(Registry::standard())
}
