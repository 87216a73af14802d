//! Verdicts for people: the one place where they are printed.

use std::{
    io::{self, IsTerminal, Write},
    sync::Mutex,
    time::{Duration, Instant},
};

use ludex_judge::{AnyGame, wire, words};

/// How far a long job is, on a terminal; again and again on the same line, ten times a second at most.
pub fn count_up(done: u64, of: u64, what: &str) {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let Ok(mut last) = LAST.try_lock() else { return };
    if done < of && last.is_some_and(|last| last.elapsed() < Duration::from_millis(100)) {
        return;
    }
    *last = Some(Instant::now());
    let mut err = io::stderr().lock();
    if err.is_terminal() {
        let _ = write!(err, "\r{} of {} {what}", thousands(done), thousands(of));
    }
}

/// Leave that line.
pub fn count_up_to_here() {
    let mut err = io::stderr().lock();
    if err.is_terminal() {
        let _ = writeln!(err);
    }
}

/// A verdict with its board, in full.
pub fn verdict(out: &mut impl Write, game: &dyn AnyGame, verdict: &wire::Verdict) -> io::Result<()> {
    writeln!(out, "{}", game.title())?;
    if let Ok(picture) = game.picture(&verdict.position) {
        write!(out, "{picture}")?;
    }
    writeln!(out, "{}", said(game, verdict))?;
    if let Some(score) = verdict.score {
        writeln!(out, "score {} for {}", signed(score.into()), game.side_names()[verdict.side.index()])?;
    }
    if !verdict.best.is_empty() {
        writeln!(out, "best  {}", verdict.best.join(" "))?;
    }
    line(out, game, verdict)?;
    stats(out, verdict)
}

/// With its sign, if it has one.
fn signed(score: i64) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

/// Games whose end is not seen at a glance: the line of play is followed by why the loser has lost.
const EXPLAINED: &[&str] = &["collapsi"];

/// The line of best play.
fn line(out: &mut impl Write, game: &dyn AnyGame, verdict: &wire::Verdict) -> io::Result<()> {
    if verdict.pv.len() > 1 {
        writeln!(out, "line  {}", verdict.pv.join(" "))?;
    }
    if !verdict.pv.is_empty() && EXPLAINED.contains(&game.family().name) {
        let end = verdict.pv.iter().try_fold(verdict.position.clone(), |p, m| game.play(&p, m));
        if let Some(why) = end.and_then(|p| game.view(&p)).ok().and_then(|view| view.why) {
            writeln!(out, "end   {why}")?;
        }
    }
    Ok(())
}

/// The verdict in words, with who is to move.
pub fn said(game: &dyn AnyGame, verdict: &wire::Verdict) -> String {
    let names = game.side_names();
    let over = verdict.best.is_empty() && verdict.status == "solved" && verdict.pv.is_empty();
    let over = over && game.view(&verdict.position).is_ok_and(|v| v.over.is_some());
    let sentence = words::verdict(names, verdict.side, verdict.bounds, over);
    let why = match verdict.status {
        "solved" => String::new(),
        status => format!(" (not solved: {})", status.replace('_', " ")),
    };
    if over {
        let reason = game.view(&verdict.position).ok().and_then(|v| v.why).unwrap_or_default();
        format!("{sentence} {reason}").trim_end().to_owned()
    } else {
        format!("{} to move: {sentence}{why}", names[verdict.side.index()])
    }
}

/// What the answer took.
pub fn stats(out: &mut impl Write, verdict: &wire::Verdict) -> io::Result<()> {
    let number = |name: &str| verdict.stats.get(name).and_then(serde_json::Value::as_f64).unwrap_or(0.0);
    let (nodes, seconds) = (number("nodes"), number("seconds"));
    if verdict.from != "search" {
        return writeln!(out, "from the {} ({})", verdict.from, verdict.solver);
    }
    writeln!(
        out,
        "{}: {} nodes in {}, {} nodes/s, {} table hits",
        verdict.solver,
        thousands(nodes as u64),
        time(seconds),
        thousands(if seconds > 0.0 { (nodes / seconds) as u64 } else { 0 }),
        thousands(number("table_hits") as u64),
    )?;
    if number("created") > 0.0 {
        let (created, support) = (number("created") as u64, number("support") as u64);
        writeln!(out, "{} positions created, {} two plies on", thousands(created), thousands(support))?;
    }
    if number("earlier_nodes") > 0.0 {
        let (nodes, seconds) = (number("earlier_nodes") as u64, number("earlier_seconds"));
        writeln!(out, "before the checkpoint: {} nodes in {}", thousands(nodes), time(seconds))?;
    }
    Ok(())
}

/// An analysis: the verdict, then every move.
pub fn analysis(out: &mut impl Write, game: &dyn AnyGame, analysis: &wire::Analysis) -> io::Result<()> {
    let it = &analysis.verdict;
    writeln!(out, "{}", game.title())?;
    if let Ok(picture) = game.picture(&it.position) {
        write!(out, "{picture}")?;
    }
    writeln!(out, "{}", said(game, it))?;
    for m in &analysis.moves {
        let mark = match m.outcome {
            "win" => '+',
            "draw" => '=',
            "loss" => '-',
            _ => '?',
        };
        let plies = m.plies.map_or(String::new(), |n| format!(" in {n}"));
        let score = m.score.map_or(String::new(), |s| format!("  score {}", signed(s.into())));
        let best = if it.best.contains(&m.text) { "  best" } else { "" };
        writeln!(out, "  {mark} {:<10} {}{plies}{score}{best}", m.text, m.outcome)?;
    }
    line(out, game, it)?;
    stats(out, it)
}

/// What a guess took, depth by depth.
pub fn thought(out: &mut impl Write, thought: &wire::Thought) -> io::Result<()> {
    writeln!(
        out,
        "{:>5} {:>8} {:>12} {:>12} {:>12} {:>12} {:>10}",
        "depth", "score", "nodes", "pruned", "simulated", "leaves", "time"
    )?;
    for d in &thought.depths {
        writeln!(
            out,
            "{:>5} {:>+8} {:>12} {:>12} {:>12} {:>12} {:>10}",
            d.depth,
            d.score,
            thousands(d.nodes),
            thousands(d.pruned),
            thousands(d.simulated),
            thousands(d.leaves),
            time(d.seconds)
        )?;
    }
    Ok(())
}

/// A number with commas between the thousands.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Seconds as people read them.
pub fn time(seconds: f64) -> String {
    match seconds {
        s if s < 0.001 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.2} s"),
        s => format!("{:.0} min {:.0} s", (s / 60.0).floor(), s % 60.0),
    }
}

/// The object as one JSON line.
pub fn json_line(out: &mut impl Write, object: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_string(object)?;
    line.push('\n');
    out.write_all(line.as_bytes())?;
    out.flush()?;
    Ok(())
}
