//! One program for all targets, since each would link everything: `LUDEX_TARGET` names the one to run, and its good inputs are
//! written to the folder `LUDEX_SEEDS` before the fuzzer reads it (`scripts/fuzz`).
#![no_main]

use std::{fs, path::Path, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use ludex_fuzz::{TARGETS, Target, target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("LUDEX_TARGET").unwrap_or_default();
    let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    target(&name).unwrap_or_else(|| panic!("LUDEX_TARGET='{name}' is none of {}", names.join(", ")))
});

/// Write the good inputs of the target, for the fuzzer to begin with.
fn write_seeds() {
    let Ok(folder) = std::env::var("LUDEX_SEEDS") else { return };
    fs::create_dir_all(&folder).expect("a folder for the seeds");
    for (i, seed) in (TARGET.seeds)().iter().enumerate() {
        fs::write(Path::new(&folder).join(format!("seed-{i}")), seed).expect("a seed is written");
    }
}

fuzz_target!(init: write_seeds(), |data: &[u8]| (TARGET.run)(data));
