//! Commands with `--farm`: workers do the work, and it comes to the same.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Output},
};

fn ludex(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.current_dir(folder).env("LUDEX_TABLES", folder.join("tables")).env_remove("LUDEX_FARM");
    command
}

fn run(folder: &Path, arguments: &str) -> Output {
    ludex(folder).args(arguments.split_whitespace()).output().unwrap()
}

/// What a command prints; it must end well.
fn said(folder: &Path, arguments: &str) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Workers that go when the test does.
struct Workers(Child);

impl Workers {
    fn start(folder: &Path) -> Self {
        said(folder, "farm init --store sqlite:farm.db");
        Self(ludex(folder).args("farm work --workers 2 --store sqlite:farm.db".split(' ')).spawn().unwrap())
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_farm_makes_the_same_files_and_counts_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let _workers = Workers::start(folder);
    let same = |command: &str, file: &str| {
        said(folder, &format!("{command} --out here-{file}"));
        said(folder, &format!("{command} --out farm-{file} --farm sqlite:farm.db"));
        let [here, there] = ["here", "farm"].map(|at| fs::read(folder.join(format!("{at}-{file}"))).unwrap());
        assert!(!here.is_empty());
        (here, there)
    };
    let (here, there) = same("book build connect4:5x4 --depth 4", "book");
    assert_eq!(here, there, "a book");
    let (here, there) = same("dataset mnk:4,3,3 --positions 150 --seed 5", "rows.jsonl");
    assert_eq!(here, there, "a dataset");
    let (here, there) =
        same("tournament mnk:3,3,3 --players random greedy level:1 --games 6 --seed 3", "games");
    let sorted = |text: Vec<u8>| {
        let text = String::from_utf8(text).unwrap();
        let mut games: Vec<String> = text.split("\n\n").map(without_times).collect();
        games.sort();
        games
    };
    assert_eq!(sorted(here), sorted(there), "a tournament");
    let plain = said(folder, "collapsi first-moves collapsi:3x3 --every 1 --json");
    assert_eq!(
        said(folder, "collapsi first-moves collapsi:3x3 --every 1 --json --farm sqlite:farm.db"),
        plain
    );
    let soak = said(folder, "seven soak --positions 45000 --cells 8 --seed 2 --farm sqlite:farm.db");
    assert!(soak.starts_with("45,000 positions, no rule wrong"), "{soak}");
    // The queue knows the work: whoever asks again has the answer at once.
    assert_eq!(said(folder, "seven soak --positions 45000 --cells 8 --seed 2 --farm sqlite:farm.db"), soak);
    let status = said(folder, "farm status --store sqlite:farm.db");
    for chore in ["book", "dataset", "tournament", "first-moves", "soak"] {
        assert!(status.contains(chore), "{status}");
    }
}

/// A certificate that is made of parts, of a win, of a draw and from a position with the opponent to move.
#[test]
fn a_farm_writes_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let _workers = Workers::start(folder);
    for (command, claims) in [
        ("mnk:4,3,3", "first win"),
        ("mnk:3,3,3 --moves 1", "first draw, second draw"),
        ("connect4:4x4 moves:2 --moves 1", "first draw, second draw"),
        ("hex:3x3", "first win"),
        ("seven:9", "first win"),
        ("seven:9 --moves 0 --effort 0", "first win"),
        ("heap:21 --moves 30", "first win"),
    ] {
        said(folder, &format!("prove {command} --no-db --out f.ludex --farm sqlite:farm.db"));
        let checked = said(folder, "check f.ludex");
        assert!(checked.contains(": valid: ") && checked.contains(claims), "{command}: {checked}");
    }
    let within = run(folder, "prove mnk:4,3,3 --claim first-wins,within=9 --out f --farm sqlite:farm.db");
    assert_eq!(within.status.code(), Some(2));
}

/// A record without what depends on the clock.
fn without_times(game: &str) -> String {
    game.lines().filter(|line| !line.contains("Date")).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_a_farm_cannot_do_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let refused = |arguments: &str, words: &str| {
        let output = run(folder, arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {error}");
        assert!(error.contains(words), "{arguments}: {error}");
    };
    refused("seven soak --farm sqlite:none.db", "none.db");
    said(folder, "farm init --store sqlite:farm.db");
    let tournament = "tournament mnk:3,3,3 --players random greedy --farm sqlite:farm.db";
    refused(tournament, "--out");
    refused(&format!("{tournament} --out games --sprt 0,30"), "sequential");
    fs::write(
        folder.join("plan.toml"),
        "spec = \"mnk:3,3,3\"\nplayers = [\"random\", { name = \"mine\", command = [\"sh\"] }]\n",
    )
    .unwrap();
    refused("tournament plan.toml --out games --farm sqlite:farm.db", "'mine' is a program");
}
