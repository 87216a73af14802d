//! Answers for people: the one place where they are printed.

use std::io::{self, Write};

use indicatif::HumanCount;
use ludex_core::Outcome;
use ludex_judge::{
    AnyGame,
    answer::{Analysis, Explanation, Source, Thought, Verdict, known_outcome},
};
use serde::Serialize;

/// A verdict with its board, in full.
pub fn verdict(out: &mut impl Write, game: &dyn AnyGame, verdict: &Verdict) -> io::Result<()> {
    board(out, game, verdict)?;
    if let Some(score) = verdict.score {
        writeln!(out, "score {} for {}", signed(score), game.side_names()[verdict.to_move.index()])?;
    }
    if !verdict.best.is_empty() {
        writeln!(out, "best  {}", verdict.best.join(" "))?;
    }
    line(out, game, verdict)?;
    stats(out, verdict)
}

/// The board and the verdict in words.
fn board(out: &mut impl Write, game: &dyn AnyGame, verdict: &Verdict) -> io::Result<()> {
    writeln!(out, "{}", game.title())?;
    if let Ok(picture) = game.picture(&verdict.position) {
        write!(out, "{picture}")?;
    }
    writeln!(out, "{}", said(game, verdict))
}

/// With its sign, if it has one.
fn signed(score: i32) -> String {
    if score == 0 { "0".to_owned() } else { format!("{score:+}") }
}

/// The line of best play, and why the game is over at its end where that is not seen at a glance.
fn line(out: &mut impl Write, game: &dyn AnyGame, verdict: &Verdict) -> io::Result<()> {
    if verdict.pv.len() > 1 {
        writeln!(out, "line  {}", verdict.pv.join(" "))?;
    }
    if !verdict.pv.is_empty() && game.family().subtle_end {
        let end = verdict.pv.iter().try_fold(verdict.position.clone(), |p, m| game.play(&p, m));
        if let Some(why) = end.and_then(|p| game.state(&p)).ok().and_then(|view| view.why) {
            writeln!(out, "end   {why}")?;
        }
    }
    Ok(())
}

/// The verdict's sentence, with who is to move while somebody is.
pub fn said(game: &dyn AnyGame, verdict: &Verdict) -> String {
    if game.state(&verdict.position).is_ok_and(|view| view.over.is_some()) {
        return verdict.sentence.clone();
    }
    format!("{} to move: {}", game.side_names()[verdict.to_move.index()], verdict.sentence)
}

/// What the answer took.
pub fn stats(out: &mut impl Write, verdict: &Verdict) -> io::Result<()> {
    let stats = &verdict.stats;
    if verdict.from != Source::Search {
        return writeln!(out, "from the {} ({})", verdict.from, verdict.solver);
    }
    writeln!(
        out,
        "{}: {} nodes in {}, {} nodes/s, {} table hits",
        verdict.solver,
        HumanCount(stats.nodes),
        time(stats.seconds),
        HumanCount(stats.rate() as u64),
        HumanCount(stats.table_hits),
    )?;
    if let Some(created) = stats.created.filter(|n| *n > 0) {
        let support = HumanCount(stats.support.unwrap_or(0));
        writeln!(out, "{} positions created, {support} two plies on", HumanCount(created))?;
    }
    if let Some(nodes) = stats.earlier_nodes.filter(|n| *n > 0) {
        let seconds = stats.earlier_seconds.unwrap_or(0) as f64;
        writeln!(out, "before the checkpoint: {} nodes in {}", HumanCount(nodes), time(seconds))?;
    }
    Ok(())
}

/// An analysis: the verdict, then every move.
pub fn analysis(out: &mut impl Write, game: &dyn AnyGame, analysis: &Analysis) -> io::Result<()> {
    let it = &analysis.verdict;
    board(out, game, it)?;
    for m in &analysis.moves {
        let mark = match m.outcome {
            Some(Outcome::Win) => '+',
            Some(Outcome::Draw) => '=',
            Some(Outcome::Loss) => '-',
            None => '?',
        };
        let plies = m.plies.map_or(String::new(), |n| format!(" in {n}"));
        let score = m.score.map_or(String::new(), |s| format!("  score {}", signed(s)));
        let best = if it.best.contains(&m.text) { "  best" } else { "" };
        writeln!(out, "  {mark} {:<10} {}{plies}{score}{best}", m.text, known_outcome::word(m.outcome))?;
    }
    line(out, game, it)?;
    stats(out, it)
}

/// An explanation: the verdict, the reasons, the line with what its moves do.
pub fn explanation(out: &mut impl Write, game: &dyn AnyGame, it: &Explanation) -> io::Result<()> {
    writeln!(out, "{}", game.title())?;
    if let Ok(picture) = game.picture(&it.position) {
        write!(out, "{picture}")?;
    }
    writeln!(out, "{}", it.verdict)?;
    for reason in &it.reasons {
        writeln!(out, "- {}", reason.said)?;
    }
    for ply in &it.line {
        let note = ply.note.as_deref().unwrap_or_default();
        let said = format!("  {:<8} {:<10} {note}", game.side_names()[ply.by.index()], ply.text);
        writeln!(out, "{}", said.trim_end())?;
    }
    Ok(())
}

/// What a guess took, depth by depth.
pub fn thought(out: &mut impl Write, thought: &Thought) -> io::Result<()> {
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
            count(d.nodes),
            count(d.pruned),
            count(d.simulated),
            count(d.leaves),
            time(d.seconds)
        )?;
    }
    Ok(())
}

/// A number with commas between the thousands, to be put in a column.
pub fn count(n: u64) -> String {
    HumanCount(n).to_string()
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
pub fn json_line(out: &mut (impl Write + ?Sized), object: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(object)?;
    line.push('\n');
    out.write_all(line.as_bytes())?;
    out.flush()
}
