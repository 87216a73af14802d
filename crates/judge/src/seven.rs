//! Seven in a row on its tile: what its own verbs ask.

use std::time::Duration;

use ludex_core::{Budget, Game as _, InputError, Notation as _, Rng, Side};
pub use ludex_games::seven::{EdgeSet, Seven as Game, Soaked, soak};
use ludex_games::{
    seven::{Board, Cell, Potential, Seven, of_spec},
    svg::{DRAW, FIRST, INK, PAPER, SECOND, Svg, WIN, short},
};

use crate::{Job, Refusal, open};

/// The game of a number of columns and an edge set.
///
/// # Errors
/// If there are too few or too many columns.
pub fn game(columns: usize, edges: EdgeSet) -> Result<Seven, InputError> {
    Seven::new(columns, edges)
}

/// The lines in canonical form: each as its cells, sorted.
#[must_use]
pub fn edges(game: &Seven) -> Vec<String> {
    let cells = |line: u64| {
        let mut cells: Vec<(u8, u8)> = (0..64)
            .filter(|bit| line >> bit & 1 == 1)
            .map(Cell::of_bit)
            .map(|c| (c.row(), c.column()))
            .collect();
        cells.sort_unstable();
        cells
    };
    let mut lines = game.lines().to_vec();
    lines.sort_by_key(|&line| cells(line));
    lines.into_iter().map(|line| game.line_text(line)).collect()
}

/// The histogram of the start, for 1 to 7 cells left, and the potential.
#[must_use]
pub fn potential(game: &Seven) -> ([u32; 7], Potential) {
    let histogram = game.histogram(&game.start());
    (std::array::from_fn(|l| histogram.count(l + 1)), histogram.potential())
}

/// Which sum tells that Breaker wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Breaker to move and potential below 1, as in the paper.
    Paper,
    /// Breaker to move and potential below 2, or Maker to move and potential below 1 (Erdős and Selfridge).
    Selfridge,
}

impl Stop {
    /// Whether Breaker is known to win.
    #[must_use]
    pub fn tells(self, potential: Potential, side: Side) -> bool {
        match (self, side) {
            (Stop::Paper, Side::First) => false,
            (Stop::Selfridge, Side::Second) => potential < Potential::TWO,
            _ => potential < Potential::ONE,
        }
    }
}

/// One move of a random game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Its number, from 1.
    pub number: usize,
    /// Who moved.
    pub player: &'static str,
    /// Where.
    pub cell: String,
    /// The potential after it.
    pub potential: Potential,
    /// Whether Maker has a line.
    pub made: bool,
    /// Whether Breaker has a certificate that he wins.
    pub certificate: bool,
}

/// A random game from a seed, until somebody has won or so many moves are made.
#[must_use]
pub fn simulate(game: &Seven, seed: u64, max_moves: usize, stop: Stop) -> Vec<Ply> {
    let mut rng = Rng::new(seed);
    let mut p: Board = game.start();
    let mut plies = Vec::new();
    while plies.len() < max_moves && game.outcome(&p).is_none() {
        let mut moves = Vec::new();
        game.each_move(&p, |m| moves.push(m));
        let Some(&m) = rng.pick(&moves) else { break };
        let player = game.side_names()[p.side.index()];
        let cell = game.move_text(&p, m);
        p = game.play(&p, m);
        let potential = game.potential(&p);
        plies.push(Ply {
            number: plies.len() + 1,
            player,
            cell,
            potential,
            made: game.complete_line(&p).is_some(),
            certificate: stop.tells(potential, p.side),
        });
    }
    plies
}

/// One line of a reproduced table.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The table or figure.
    pub table: &'static str,
    /// What was asked.
    pub spec: String,
    /// The techniques left out.
    pub without: &'static str,
    /// Ours: outcome, nodes (positions whose moves were generated), positions created, seconds.
    pub outcome: String,
    /// Nodes.
    pub nodes: u64,
    /// Positions created.
    pub created: u64,
    /// Seconds.
    pub seconds: f64,
    /// The paper's number for this line.
    pub paper: &'static str,
}

/// The lines to reproduce: table, spec, without, the paper's number.
const LINES: &[(&str, &str, &str, &str)] = &[
    (
        "Table I",
        "seven:7",
        "forced,threats,dead,dominated,stop,selfridge,components,blocks,heuristic",
        "1,921,106 nodes",
    ),
    (
        "Table I",
        "seven:7",
        "threats,dead,dominated,stop,selfridge,components,blocks,heuristic",
        "forced: 822",
    ),
    (
        "Table I",
        "seven:7",
        "forced,threats,dominated,stop,selfridge,components,blocks,heuristic",
        "dead: 332,740",
    ),
    (
        "Table I",
        "seven:7",
        "forced,threats,dead,stop,selfridge,components,blocks,heuristic",
        "dominated: 116,991",
    ),
    (
        "Table I",
        "seven:7",
        "forced,threats,dead,dominated,selfridge,components,blocks,heuristic",
        "stop: 660,763",
    ),
    (
        "Table I",
        "seven:7",
        "forced,threats,dead,dominated,stop,selfridge,components,blocks",
        "heuristic: 481,553",
    ),
    ("Table I", "seven:7", "forced,threats,dead,dominated,stop,selfridge,heuristic", "components: 167,514"),
    ("Figure 5", "seven:7", "", ""),
    ("Figure 5", "seven:8", "", ""),
    ("Figure 5", "seven:9", "", "6.9e3 nodes, 0.06 s"),
    ("Figure 5", "seven:10", "", "5e4 nodes, 0.36 s"),
    ("Figure 5", "seven:11", "", "1.9e5 nodes, 1.6 s"),
    ("Figure 5", "seven:12", "", "1.3e6 nodes, 10 s"),
    ("Figure 5", "seven:13", "", "1.4e7 nodes, 176 s"),
    ("Figure 5", "seven:14", "", "2.6e8 nodes, 2,800 s"),
    ("Figure 5", "seven:7,setup=disproof", "", "8.7e4 nodes, 0.4 s"),
    ("Figure 5", "seven:8,setup=disproof", "", "5.7e5 nodes, 3.4 s"),
    ("Figure 5", "seven:9,setup=disproof", "", "9e6 nodes, 84 s"),
    ("Table II", "seven:11", "components,blocks", "2.69 time, 3.01 size"),
    ("Table II", "seven:11", "selfridge", "(the paper's stop)"),
    ("Table II", "seven:11", "stop,selfridge", "0.75 time, 1.00 size"),
    ("Table II", "seven:11", "dead", "2.45 time, 2.96 size"),
    ("Table II", "seven:11", "dominated", "3.58 time, 3.58 size"),
    ("Table II", "seven:11", "threats", "(not in the paper)"),
    ("Table II", "seven:11", "forced,threats", "85.67 time, 69.50 size"),
    ("Table II", "seven:11", "heuristic", "27.82 time, 23.92 size"),
    ("Table II", "seven:8,setup=disproof", "components,blocks", "0.93 time, 1.14 size"),
    ("Table II", "seven:8,setup=disproof", "stop,selfridge", "1.01 time, 1.03 size"),
    ("Table II", "seven:8,setup=disproof", "dead", "1.52 time, 2.30 size"),
    ("Table II", "seven:8,setup=disproof", "dominated", "1.44 time, 2.00 size"),
    ("Table II", "seven:8,setup=disproof", "forced,threats", "2.37 time, 2.38 size"),
    ("Table II", "seven:8,setup=disproof", "heuristic", "3.23 time, 4.32 size"),
];

/// Rerun the paper's tables, each line within a time limit, telling every line as it is done.
///
/// # Errors
/// If a line cannot be asked.
pub fn reproduce(
    limit: Duration,
    memory: u64,
    solver: Option<&str>,
    mut each: impl FnMut(&Measured),
) -> Result<Vec<Measured>, Refusal> {
    let mut done = Vec::new();
    for &(table, spec, without, paper) in LINES {
        let job = Job {
            budget: Budget { time: Some(limit), memory, ..Budget::default() },
            without: without.split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect(),
            solver: solver.map(str::to_owned),
            ..Job::default()
        };
        let verdict = open(spec)?.solve(&job)?;
        let stats = &verdict.stats;
        let count = |name: &str| stats.get(name).and_then(serde_json::Value::as_u64).unwrap_or(0);
        let measured = Measured {
            table,
            spec: spec.to_owned(),
            without,
            outcome: verdict.outcome.to_owned(),
            nodes: count("nodes"),
            created: count("created"),
            seconds: stats.get("seconds").and_then(serde_json::Value::as_f64).unwrap_or(0.0),
            paper,
        };
        each(&measured);
        done.push(measured);
    }
    Ok(done)
}

/// The game of a spec, for verbs that look inside it.
///
/// # Errors
/// If the spec is no game of this family.
pub fn parse(spec: &str) -> Result<Seven, InputError> {
    of_spec(&spec.parse()?)
}

/// Figure 5 redrawn: nodes against columns, on a logarithmic scale, with the paper's points beside ours.
#[must_use]
pub fn figure(lines: &[Measured]) -> String {
    const PAPER_PROOF: [(f64, f64); 6] =
        [(9.0, 6.9e3), (10.0, 5e4), (11.0, 1.9e5), (12.0, 1.3e6), (13.0, 1.4e7), (14.0, 2.6e8)];
    const PAPER_DISPROOF: [(f64, f64); 3] = [(7.0, 8.7e4), (8.0, 5.7e5), (9.0, 9e6)];
    let (width, height) = (480.0, 360.0);
    let x = |n: f64| 50.0 + (n - 7.0) * 55.0;
    let y = |nodes: f64| 330.0 - nodes.max(1.0).log10() * 35.0;
    let mut svg = Svg::new(width, height, "Nodes against columns, ours and the paper's");
    svg.shape("rect", &[("width", &width), ("height", &height), ("class", &"board"), ("fill", &PAPER)]);
    for n in 7..=14 {
        svg.text(x(f64::from(n)), 348.0, 12.0, "label", INK, &n.to_string());
    }
    for power in 0..=8 {
        svg.text(24.0, y(10f64.powi(power)), 11.0, "label", INK, &format!("1e{power}"));
    }
    let mut draw = |points: &[(f64, f64)], class: &str, fill: &str| {
        for &(n, nodes) in points {
            let (cx, cy) = (short(x(n)), short(y(nodes)));
            svg.shape("circle", &[("cx", &cx), ("cy", &cy), ("r", &5), ("class", &class), ("fill", &fill)]);
        }
    };
    let ours = |disproof: bool| -> Vec<(f64, f64)> {
        let solved = lines.iter().filter(|l| l.table == "Figure 5" && l.outcome != "unknown");
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
        svg.text(120.0, 16.0 + 16.0 * i as f64, 12.0, "label", fill, name);
    }
    svg.finish()
}
