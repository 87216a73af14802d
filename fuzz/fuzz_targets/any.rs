//! One program for all targets, since each would link everything: `LUDEX_TARGET` names the one to run (`scripts/fuzz`).
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ludex_fuzz::{TARGETS, Target, target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("LUDEX_TARGET").unwrap_or_default();
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    target(&name).unwrap_or_else(|| panic!("LUDEX_TARGET='{name}' is none of {}", names.join(", ")))
});

fuzz_target!(|data: &[u8]| (TARGET.run)(data));
