//! Verbs that this program was built without. Their names are known, so that whoever types one is told how to get it.

use std::ffi::OsString;

use clap::Args as ClapArgs;
use ludex_core::{Error, ErrorCode};

use crate::{exit::Done, help::program};

/// Whatever follows the verb.
#[derive(Debug, ClapArgs)]
#[command(disable_help_flag = true)]
pub struct Unbuilt {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Say which feature has the verb.
pub fn unbuilt(feature: &str) -> Done {
    let hint = format!(
        "released binaries have it; from the sources: cargo install --path crates/ludex --features {feature}"
    );
    let message = format!("this {} was built without the feature {feature}", program());
    Err(Error::new(ErrorCode::BadArguments, message, hint).into())
}
