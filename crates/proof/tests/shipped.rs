//! The certificates that come with Ludex are valid.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut found = Vec::new();
    for path in entries {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "ludex") {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_shipped_certificate_is_valid() {
    let files = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs"));
    assert!(files.len() >= 20, "only {} certificates", files.len());
    for path in files {
        let file = std::fs::read(&path).expect("a file");
        if let Err(fault) = ludex_proof::check(&file) {
            panic!("{}: {fault}", path.display());
        }
    }
}
