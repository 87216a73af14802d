//! Dependencies between the rooms go only downward.

use std::process::Command;

use serde_json::Value;

/// The rooms from the bottom up. A room may depend only on rooms before it.
const ROOMS: &[&str] =
    &["core", "games", "proof", "search", "store", "judge", "farm", "arena", "server", "cli"];

/// Edges that go down and are still wrong: a search names no game (its tests may), the checker knows no search, and
/// what answers people asks the judge only.
const FORBIDDEN: &[(&str, &str)] = &[
    ("search", "games"),
    ("store", "games"),
    ("store", "search"),
    ("server", "search"),
    ("arena", "search"),
    ("cli", "search"),
];

fn room(package: &str) -> usize {
    let name = if package == "ludex" { "cli" } else { package.trim_start_matches("ludex-") };
    ROOMS.iter().position(|r| *r == name).unwrap_or_else(|| panic!("{package} is not a room of the house"))
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
    assert!(packages.len() >= 6, "the rooms are there");
    let mut edges = 0;
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            let other = dependency["name"].as_str().expect("a name");
            if !other.starts_with("ludex") {
                continue;
            }
            edges += 1;
            let (from, to) = (room(name), room(other));
            assert!(from > to, "{name} depends on {other}, which is not below it");
            let testing = dependency["kind"].as_str() == Some("dev");
            assert!(testing || !FORBIDDEN.contains(&(ROOMS[from], ROOMS[to])), "{name} may not know {other}");
        }
    }
    assert!(edges > 5, "only {edges} edges between rooms were seen");
}
