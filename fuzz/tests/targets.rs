//! Every target on its corpus, on its good inputs, and on random changes of both, with stable Rust.

use std::{fs, panic, path::PathBuf};

use ludex_core::Rng;
use ludex_fuzz::{TARGETS, Target, changed};

/// Inputs that once went wrong, and whatever else is worth keeping: `corpus/TARGET/*`.
fn corpus(target: &Target) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    files.map(|file| fs::read(file.expect("a file").path()).expect("a readable file")).collect()
}

/// What goes wrong, if anything does.
fn fault(target: &Target, data: &[u8]) -> Option<String> {
    let failed = panic::catch_unwind(|| (target.run)(data)).is_err();
    failed.then(|| format!("{} fails on {data:?} ({})", target.name, String::from_utf8_lossy(data)))
}

/// The first fault of a target. `LUDEX_FUZZ_ROUNDS` asks for more changes than the few hundred of every day.
fn first_fault(target: &Target) -> Option<String> {
    let rounds = std::env::var("LUDEX_FUZZ_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut seeds = (target.seeds)();
    assert!(!seeds.is_empty(), "{} has nothing to begin with", target.name);
    seeds.extend(corpus(target));
    let mut rng = Rng::new(7);
    let good = seeds.iter().find_map(|seed| fault(target, seed));
    good.or_else(|| (0..rounds).find_map(|_| fault(target, &changed(&seeds, &mut rng))))
}

#[test]
fn every_target_on_good_and_on_spoilt_inputs() {
    let faults: Vec<String> = TARGETS.iter().filter_map(first_fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
