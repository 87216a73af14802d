//! Dependencies between the crates go only downward.

use std::process::Command;

use serde_json::Value;

/// The crates from the bottom up. A crate may depend only on crates before it.
const LAYERS: &[&str] = &[
    "core", "games", "proof", "search", "store", "dataflow", "judge", "studies", "standard", "arena", "api",
    "farm", "server", "mcp", "cli", "ludex", "python", "wasm", "fuzz",
];

/// Edges that go down and are still wrong: neither a search nor the judge names a game (their tests may), and what
/// answers people asks the judge.
const FORBIDDEN: &[(&str, &str)] = &[
    ("search", "games"),
    ("proof", "games"),
    ("store", "games"),
    ("store", "search"),
    ("dataflow", "games"),
    ("judge", "games"),
    ("judge", "dataflow"),
    ("api", "search"),
    ("server", "search"),
    ("cli", "search"),
];

fn layer(package: &str) -> usize {
    let name = package.trim_start_matches("ludex-");
    LAYERS.iter().position(|l| *l == name).unwrap_or_else(|| panic!("{package} is in no layer"))
}

#[test]
fn dependencies_go_only_downward() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert_eq!(packages.len(), LAYERS.len(), "one package for each layer");
    let mut edges = 0;
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let other = dependency["name"].as_str().expect("a name");
            if !other.starts_with("ludex") {
                continue;
            }
            edges += 1;
            let (from, to) = (layer(name), layer(other));
            let testing = dependency["kind"].as_str() == Some("dev");
            assert!(testing || from > to, "{name} depends on {other}, which is not below it");
            assert!(
                testing || !FORBIDDEN.contains(&(LAYERS[from], LAYERS[to])),
                "{name} may not know {other}"
            );
        }
    }
    assert!(edges > 20, "only {edges} edges between crates were seen");
}
