//! The tables and the figure of Czifra, Csóka, Zombori and Makay, "Towards solving the 7-in-a-row game" (2021), again.

use std::{fmt::Display, time::Duration};

use ludex_core::{Budget, Cancel, Error, ErrorCode, Game as _, Goal, Unlimited};
use ludex_games::svg::{DRAW, FIRST, INK, PAPER, SECOND, Svg, WIN, short};
use ludex_judge::{Question, Registry, Terms, answer::known_outcome};
use ludex_search::{dfpn::ProofTable, two_plies_on};

use super::{learn::maker_wins, parse};

/// The colour of the lines behind the points.
const GRID: &str = "#DDDDDA";

/// What can be reproduced.
pub const TABLES: [&str; 4] = ["I", "5", "II", "III"];

/// What a line may cost.
#[derive(Clone, Debug)]
pub struct PaperLimits {
    /// Time; of Table III, for each position.
    pub time: Option<Duration>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Memory.
    pub memory: u64,
    /// Raised to stop: the line that is being measured is given up, and the others are left out.
    pub cancel: Cancel,
}

/// One line of a reproduced table.
#[derive(Clone, Debug, PartialEq)]
pub struct LineMeasured {
    /// The table or figure.
    pub table: &'static str,
    /// What was asked.
    pub spec: String,
    /// Which technique the line is about.
    pub about: String,
    /// The techniques left out.
    pub without: String,
    /// Who wins for the side to move, or `unknown`; of Table III what was counted.
    pub outcome: String,
    /// Whether everything the line asks was found.
    pub solved: bool,
    /// Positions whose moves were generated.
    pub nodes: u64,
    /// Positions created.
    pub created: u64,
    /// Seconds.
    pub seconds: f64,
    /// Seconds and nodes as multiples of those with all techniques, where both were solved.
    pub ratio: Option<(f64, f64)>,
    /// The paper's number for this line.
    pub paper: &'static str,
}

/// What the paper does not have, or has in a weaker form.
const OURS: &str = "threats,selfridge,blocks,isomorphy,pairing";

/// Table I: what is left out of ours to have the paper's baseline, and what each technique brings back.
const TABLE_1: [(&str, &str); 8] = [
    ("baseline", "1,921,106 nodes"),
    ("forced", "822"),
    ("dead", "332,740"),
    ("dominated", "116,991"),
    ("stop", "660,763"),
    ("heuristic", "481,553"),
    ("components", "167,514"),
    ("isomorphy", "249,348"),
];

const FIGURE_5: [(&str, &str); 13] = [
    ("seven:7", ""),
    ("seven:8", ""),
    ("seven:9", "6.9e3 nodes, 0.06 s"),
    ("seven:10", "5e4 nodes, 0.36 s"),
    ("seven:11", "1.9e5 nodes, 1.6 s"),
    ("seven:12", "1.3e6 nodes, 10 s"),
    ("seven:13", "1.4e7 nodes, 176 s"),
    ("seven:14", "2.6e8 nodes, 2.8e3 s"),
    ("seven:7,setup=disproof", "8.7e4 nodes, 0.4 s"),
    ("seven:8,setup=disproof", "5.7e5 nodes, 3.4 s"),
    ("seven:9,setup=disproof", "9e6 nodes, 84 s"),
    ("seven:10,setup=disproof", "6e7 nodes, 1e3 s"),
    ("seven:11,setup=disproof", "6e8 nodes, 1.4e4 s"),
];

/// Table II: the positions, and by technique the ratios of time and size when it is left out.
const TABLE_2_SPECS: [&str; 4] = ["seven:11", "seven:12", "seven:8,setup=disproof", "seven:9,setup=disproof"];
const TABLE_2: [(&str, &str, [&str; 4]); 9] = [
    ("components", "components,blocks", ["2.69/3.01", "1.30/1.61", "0.93/1.14", "0.88/1.05"]),
    ("stop", "stop,selfridge,pairing", ["0.75/1.00", "1.32/1.74", "1.01/1.03", "0.97/0.99"]),
    ("dead", "dead", ["2.45/2.96", "3.07/4.10", "1.52/2.30", "1.39/2.41"]),
    ("dominated", "dominated", ["3.58/3.58", "14.25/15.56", "1.44/2.00", "2.05/2.04"]),
    ("forced", "forced,threats", ["85.67/69.50", "over the limit", "2.37/2.38", "3.50/3.31"]),
    ("heuristic", "heuristic", ["27.82/23.92", "43.66/41.96", "3.23/4.32", "1.11/1.92"]),
    ("threats", "threats", [""; 4]),
    ("pairing", "pairing", [""; 4]),
    ("isomorphy", "isomorphy", [""; 4]),
];

/// Table III: the support of the root, and of how many of its positions Breaker wins.
const TABLE_3: [(&str, &str); 6] = [
    ("seven:7", "308 positions, 114 for Breaker"),
    ("seven:8", "314, 150"),
    ("seven:9", "371, 156"),
    ("seven:10", "415, 200"),
    ("seven:11", "475, 248"),
    ("seven:12", "515, 290, 14 unsolved"),
];

/// Rerun the paper's tables that are named, each line within its limits, telling every line as it is done. Table I is about
/// the best-first search; the rest is done by `solver`, or the one that suits the game.
///
/// # Errors
/// If there is no such table or solver.
pub fn reproduce(
    games: &Registry,
    tables: &[String],
    limits: &PaperLimits,
    solver: Option<&str>,
    mut each: impl FnMut(&LineMeasured),
) -> Result<Vec<LineMeasured>, Error> {
    if let Some(wrong) = tables.iter().find(|t| !TABLES.contains(&t.as_str())) {
        let hint = format!("there are {}", TABLES.join(", "));
        return Err(Error::new(ErrorCode::BadTable, format!("there is no table '{wrong}'"), hint));
    }
    let mut done: Vec<LineMeasured> = Vec::new();
    let mut tell = |measured: LineMeasured, done: &mut Vec<LineMeasured>| {
        each(&measured);
        done.push(measured);
    };
    let wanted = |table: &str| tables.is_empty() || tables.iter().any(|t| t == table);
    if wanted("I") {
        for (about, paper) in TABLE_1 {
            if limits.cancel.is_cancelled() {
                break;
            }
            let techniques = TABLE_1[1..].iter().map(|t| t.0).chain(OURS.split(',')).collect::<Vec<_>>();
            let mut without: Vec<&str> = techniques.into_iter().filter(|t| *t != about).collect();
            without.sort_unstable();
            without.dedup();
            // Isomorphic positions are not told apart only where dead cells are not.
            without.retain(|t| about != "isomorphy" || *t != "dead");
            let line = Line { table: "Table I", spec: "seven:7", about, without: &without.join(","), paper };
            tell(measure(games, line, limits, Some("pns"))?, &mut done);
        }
    }
    if wanted("5") {
        for (spec, paper) in FIGURE_5 {
            if limits.cancel.is_cancelled() {
                break;
            }
            let line = Line { table: "Figure 5", spec, about: "all", without: "", paper };
            tell(measure(games, line, limits, solver)?, &mut done);
        }
    }
    if wanted("II") {
        for (i, spec) in TABLE_2_SPECS.into_iter().enumerate() {
            if limits.cancel.is_cancelled() {
                break;
            }
            let line = Line { table: "Table II", spec, about: "all", without: "", paper: "" };
            let whole = measure(games, line, limits, solver)?;
            tell(whole.clone(), &mut done);
            for (about, without, paper) in TABLE_2 {
                if limits.cancel.is_cancelled() {
                    break;
                }
                let line = Line { table: "Table II", spec, about, without, paper: paper[i] };
                let mut measured = measure(games, line, limits, solver)?;
                if whole.solved && measured.solved {
                    measured.ratio = Some((
                        measured.seconds / whole.seconds.max(1e-6),
                        measured.nodes as f64 / whole.nodes.max(1) as f64,
                    ));
                }
                tell(measured, &mut done);
            }
        }
    }
    if wanted("III") {
        for (spec, paper) in TABLE_3 {
            if limits.cancel.is_cancelled() {
                break;
            }
            tell(near_the_root(spec, paper, limits)?, &mut done);
        }
    }
    Ok(done)
}

/// A line to measure.
struct Line<'a> {
    table: &'static str,
    spec: &'a str,
    about: &'a str,
    without: &'a str,
    paper: &'static str,
}

/// What a line may cost, and how it is called off.
fn terms(limits: &PaperLimits) -> (Budget, Terms) {
    let PaperLimits { time, nodes, memory, cancel } = limits;
    let budget = Budget { time: *time, nodes: *nodes, memory: *memory, ..Budget::default() };
    (budget, Terms::default().until(cancel))
}

fn measure(
    games: &Registry,
    line: Line<'_>,
    limits: &PaperLimits,
    solver: Option<&str>,
) -> Result<LineMeasured, Error> {
    let (budget, terms) = terms(limits);
    let question = Question {
        without: line.without.split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect(),
        solver: solver.map(str::to_owned),
        budget,
        ..Question::default()
    };
    let verdict = games.open(line.spec)?.solve(&question, &terms)?;
    Ok(LineMeasured {
        table: line.table,
        spec: line.spec.to_owned(),
        about: line.about.to_owned(),
        without: line.without.to_owned(),
        outcome: known_outcome::word(verdict.outcome).to_owned(),
        solved: verdict.outcome.is_some(),
        nodes: verdict.stats.nodes,
        created: verdict.stats.created.unwrap_or(0),
        seconds: verdict.stats.seconds,
        ratio: None,
        paper: line.paper,
    })
}

/// Solve every position of the support of the root. It is that of the paper's rules, without what only ours have.
fn near_the_root(spec: &str, paper: &'static str, limits: &PaperLimits) -> Result<LineMeasured, Error> {
    let game = parse(spec)?.for_goal(Goal::Wdl);
    let without = OURS.split(',').try_fold(game.switched(), |on, name| on.without(game.switches(), name))?;
    let weaker = game.clone().with_switches(without);
    // No question is asked yet, so that nothing can stop it.
    let positions = two_plies_on::positions(&weaker, &game.start(), &Unlimited).unwrap_or_default();
    let table = ProofTable::new(limits.memory);
    let (budget, terms) = terms(limits);
    let start = terms.clock.now();
    let (mut breaker, mut unsolved) = (0, 0);
    for &p in &positions {
        if limits.cancel.is_cancelled() {
            unsolved += 1;
            continue;
        }
        match maker_wins(&game, p, &table, (&budget, &terms))? {
            Some(false) => breaker += 1,
            Some(true) => (),
            None => unsolved += 1,
        }
    }
    let unknown = if unsolved > 0 { format!(", {unsolved} unsolved") } else { String::new() };
    Ok(LineMeasured {
        table: "Table III",
        spec: spec.to_owned(),
        about: "support of the root".to_owned(),
        without: String::new(),
        outcome: format!("{} positions, {breaker} for Breaker{unknown}", positions.len()),
        solved: unsolved == 0,
        nodes: 0,
        created: 0,
        seconds: (terms.clock.now() - start).as_secs_f64(),
        ratio: None,
        paper,
    })
}

/// Figure 5 redrawn: nodes against columns, on a logarithmic scale, with the paper's points beside ours.
#[must_use]
pub fn figure(lines: &[LineMeasured]) -> String {
    const PAPER_PROOF: [(f64, f64); 6] =
        [(9.0, 6.9e3), (10.0, 5e4), (11.0, 1.9e5), (12.0, 1.3e6), (13.0, 1.4e7), (14.0, 2.6e8)];
    const PAPER_DISPROOF: [(f64, f64); 5] =
        [(7.0, 8.7e4), (8.0, 5.7e5), (9.0, 9e6), (10.0, 6e7), (11.0, 6e8)];
    let (width, height) = (520.0, 390.0);
    let x = |n: f64| 70.0 + (n - 7.0) * 58.0;
    let y = |nodes: f64| 340.0 - nodes.max(1.0).log10() * 35.0;
    let mut svg = Svg::new(width, height, "Nodes against columns, ours and the paper's");
    svg.shape("rect", &[("width", &width), ("height", &height), ("class", &"board"), ("fill", &PAPER)]);
    for n in 7..=14 {
        svg.text(x(f64::from(n)), 358.0, 12.0, "label", INK, &n.to_string());
    }
    svg.text(x(10.5), 378.0, 12.0, "label", INK, "columns");
    svg.text(30.0, 378.0, 12.0, "label", INK, "nodes");
    for power in 0..=9 {
        let height = y(10f64.powi(power));
        svg.text(30.0, height, 11.0, "label", INK, &format!("1e{power}"));
        let (y1, y2) = (short(height), short(height));
        let (x1, x2) = (short(x(6.7)), short(x(14.3)));
        let ends: [(&str, &dyn Display); 6] =
            [("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2), ("class", &"grid"), ("stroke", &GRID)];
        svg.shape("line", &ends);
    }
    let mut draw = |points: &[(f64, f64)], class: &str, fill: &str| {
        let path: Vec<String> =
            points.iter().map(|&(n, nodes)| format!("{},{}", short(x(n)), short(y(nodes)))).collect();
        let path = path.join(" ");
        svg.shape(
            "polyline",
            &[("points", &path), ("fill", &"none"), ("stroke", &fill), ("stroke-width", &2)],
        );
        for &(n, nodes) in points {
            let (cx, cy) = (short(x(n)), short(y(nodes)));
            svg.shape("circle", &[("cx", &cx), ("cy", &cy), ("r", &5), ("class", &class), ("fill", &fill)]);
        }
    };
    let ours = |disproof: bool| -> Vec<(f64, f64)> {
        let solved = lines.iter().filter(|l| l.table == "Figure 5" && l.solved);
        solved
            .filter(|l| l.spec.contains("disproof") == disproof)
            .filter_map(|l| Some((parse(&l.spec).ok()?.columns() as f64, l.nodes as f64)))
            .collect()
    };
    draw(&PAPER_PROOF, "paper proof", DRAW);
    draw(&PAPER_DISPROOF, "paper disproof", SECOND);
    draw(&ours(false), "ours proof", WIN);
    draw(&ours(true), "ours disproof", FIRST);
    for (i, (name, fill)) in
        [("paper, proof", DRAW), ("paper, disproof", SECOND), ("ours, proof", WIN), ("ours, disproof", FIRST)]
            .into_iter()
            .enumerate()
    {
        svg.text(x(13.0), 275.0 + 16.0 * i as f64, 12.0, "label", fill, name);
    }
    svg.finish()
}
