//! Why a position is worth what it is, in words.
//!
//! Everything here is read off the rules: who can win at once, which answers hold that off, which moves keep the value,
//! and how the line of best play ends. What a game sees without search (a pairing, a potential) and what it counts
//! (threats, lines) is added in its own words.

use ludex_core::{Outcome, Playable, Side};

use crate::{
    wire::{self, Explanation, Ply, Reason},
    words,
};

/// With more moves than this in a position, the answers to each are not looked at.
const MANY: usize = 64;

/// What the side to move can answer when the other one wants to win.
struct Answers<M> {
    /// How many there are.
    all: usize,
    /// Those after which the other side does not win at once.
    safe: Vec<M>,
    /// Moves that win for the other side at once after all answers, or after all but one.
    threats: Vec<Threat<M>>,
}

/// A move that would win, as it reads when it is made.
struct Threat<M> {
    m: M,
    text: String,
    clicks: Vec<String>,
    /// After how many answers it wins.
    times: usize,
}

impl<M> Answers<M> {
    fn threat_texts(&self) -> String {
        self.threats.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(" and ")
    }
}

/// Put an analysis in words; `line` is a line of best play.
pub(crate) fn explain<G: Playable>(
    game: &G,
    p: &G::Position,
    analysis: &wire::Analysis,
    line: &[G::Move],
) -> Explanation {
    let verdict = &analysis.verdict;
    let over = game.outcome(p).is_some();
    let (plies, end) = follow(game, p, line, winner(verdict));
    let reasons =
        if over { ending(game, p).into_iter().collect() } else { reasons(game, p, analysis, line, &end) };
    Explanation {
        kind: "explanation",
        version: wire::VERSION,
        game: verdict.game.clone(),
        position: verdict.position.clone(),
        to_move: verdict.to_move,
        status: verdict.status,
        verdict: words::verdict(game.side_names(), verdict.side, verdict.bounds, over),
        reasons,
        line: plies,
    }
}

/// Who wins with perfect play.
fn winner(verdict: &wire::Verdict) -> Option<Side> {
    match verdict.bounds.outcome()? {
        Outcome::Win => Some(verdict.side),
        Outcome::Loss => Some(verdict.side.other()),
        Outcome::Draw => None,
    }
}

/// The reasons for the value of an unfinished game.
fn reasons<G: Playable>(
    game: &G,
    p: &G::Position,
    analysis: &wire::Analysis,
    line: &[G::Move],
    end: &G::Position,
) -> Vec<Reason> {
    let verdict = &analysis.verdict;
    let names = game.side_names();
    let (mover, other) = (names[verdict.side.index()], names[verdict.side.other().index()]);
    let all = analysis.moves.len();
    let worth = |outcome: &str| analysis.moves.iter().filter(|m| m.outcome == outcome).count();
    let Some(&m) = line.first() else { return Vec::new() };
    let first = game.move_text(p, m);
    let here = || game.clicks(p, m);
    let mut reasons = Vec::new();
    let mut say = |text: String, cells: Vec<String>| {
        reasons.push(Reason { text, cells, ..Reason::default() });
    };
    match verdict.bounds.outcome() {
        Some(Outcome::Win) => {
            let (at_once, soon) = match verdict.plies {
                Some(1) => (" at once", "at once"),
                _ => ("", "soonest"),
            };
            match worth("win") {
                1 if all == 1 => say(format!("{first} is the only move, and it wins{at_once}."), here()),
                1 => say(format!("Only {first} wins{at_once}."), here()),
                wins if wins == all => say(format!("Every move wins; {first} wins {soon}."), here()),
                wins => say(format!("{wins} of {all} moves win; {first} wins {soon}."), here()),
            }
            let after = game.play(p, m);
            if game.side(&after) != verdict.side
                && let Some(answers) = answers(game, &after)
            {
                let (text, cells) = pressed(game, &after, &answers, other, mover);
                text.into_iter().for_each(|text| say(format!("After {first}, {text}"), cells.clone()));
            }
        }
        Some(Outcome::Loss) => {
            let pressed = answers(game, p).map(|answers| (pressed(game, p, &answers, mover, other), answers));
            match pressed {
                Some(((Some(text), cells), answers)) => {
                    say(sentence(&text), cells);
                    if !answers.safe.is_empty() {
                        say(format!("It loses all the same: {first} lasts longest."), here());
                    }
                }
                _ if all == 1 => say(format!("{mover} has one move only, {first}, and it loses."), here()),
                _ => say(format!("All {all} moves of {mover} lose; {first} lasts longest."), here()),
            }
        }
        Some(Outcome::Draw) => match worth("draw") {
            1 if all == 1 => say(format!("{mover} has one move only, {first}, and it draws."), here()),
            draws if draws == all => {
                say("Every move draws: neither side can force a win.".into(), Vec::new())
            }
            1 => say(format!("No move wins, and only {first} holds the draw."), here()),
            draws => say(format!("No move wins; {draws} of {all} hold the draw."), here()),
        },
        None => {
            let pressed = answers(game, p).map(|answers| pressed(game, p, &answers, mover, other));
            if let Some((Some(text), cells)) = pressed {
                say(text, cells);
            }
            let known = words::verdict(names, verdict.side, verdict.bounds, false);
            say(format!("The search is not finished. {known}"), Vec::new());
        }
    }
    if let Some(why) = ending(game, end) {
        let plies = line.len();
        say(format!("After {plies} {}: {}", if plies == 1 { "ply" } else { "plies" }, why.text), why.cells);
    }
    for ludex_core::Reason { text, cells, pairs } in game.settled(p) {
        reasons.push(Reason { text: sentence(&text), cells, pairs });
    }
    let winner = winner(verdict).map(|side| names[side.index()]);
    for fact in game.facts(p) {
        if winner.is_some_and(|name| fact.name.contains(name)) {
            let text = sentence(&format!("{}: {}", fact.name, fact.value));
            reasons.push(Reason { text, cells: fact.cells, pairs: Vec::new() });
        }
    }
    reasons
}

/// How the side to move is pressed, if it is: it has no good answer, or one only.
fn pressed<G: Playable>(
    game: &G,
    p: &G::Position,
    answers: &Answers<G::Move>,
    loser: &str,
    winner: &str,
) -> (Option<String>, Vec<String>) {
    let cells = || answers.threats.iter().flat_map(|t| t.clicks.clone()).collect();
    let threats = answers.threat_texts();
    match (answers.safe.as_slice(), answers.threats.as_slice()) {
        ([], [_, _, ..]) => {
            let text = format!("{winner} threatens {threats}, and {loser} can stop only one.");
            (Some(text), cells())
        }
        ([], [_]) => (Some(format!("{loser} cannot stop {winner}'s threat {threats}.")), cells()),
        ([], []) => {
            (Some(format!("{loser} has to move, and every move lets {winner} win at once.")), Vec::new())
        }
        ([only], _) if answers.all > 1 => {
            let text = game.move_text(p, *only);
            let text = format!("{loser} has to answer {text}: anything else loses at once.");
            (Some(text), game.clicks(p, *only))
        }
        _ => (None, Vec::new()),
    }
}

/// What the side to move can answer; `None` where there are too many moves, or the same side moves twice.
fn answers<G: Playable>(game: &G, p: &G::Position) -> Option<Answers<G::Move>> {
    let side = game.side(p);
    let moves = moves(game, p);
    if moves.is_empty() || moves.len() > MANY {
        return None;
    }
    let mut safe = Vec::new();
    let mut threats: Vec<Threat<G::Move>> = Vec::new();
    for &m in &moves {
        let after = game.play(p, m);
        if game.outcome(&after).is_some() || game.side(&after) == side {
            return None;
        }
        let mut won = false;
        for reply in self::moves(game, &after) {
            let end = game.play(&after, reply);
            let mover_wins = match game.outcome(&end) {
                Some(Outcome::Win) => game.side(&end) != side,
                Some(Outcome::Loss) => game.side(&end) == side,
                _ => false,
            };
            if mover_wins {
                won = true;
                match threats.iter_mut().find(|t| t.m == reply) {
                    Some(known) => known.times += 1,
                    None => threats.push(Threat {
                        m: reply,
                        text: game.move_text(&after, reply),
                        clicks: game.clicks(&after, reply),
                        times: 1,
                    }),
                }
            }
        }
        if !won {
            safe.push(m);
        }
    }
    // A threat is there whatever is answered, but for an answer that stops it.
    threats.retain(|t| moves.len() > 1 && t.times + 1 >= moves.len());
    threats.sort_unstable_by_key(|t| t.m);
    Some(Answers { all: moves.len(), safe, threats })
}

fn moves<G: Playable>(game: &G, p: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if game.outcome(p).is_none() {
        game.each_move(p, |m| moves.push(m));
    }
    moves.sort_unstable();
    moves
}

/// The line with what its moves do, and where it ends.
fn follow<G: Playable>(
    game: &G,
    p: &G::Position,
    line: &[G::Move],
    winner: Option<Side>,
) -> (Vec<Ply>, G::Position) {
    let mut p = *p;
    let mut plies = Vec::with_capacity(line.len());
    for &m in line {
        let side = game.side(&p);
        let after = game.play(&p, m);
        let note = match game.outcome(&after) {
            Some(Outcome::Draw) => Some("ends the game".into()),
            Some(_) => Some("wins".into()),
            None if Some(side) == winner => answers(game, &after)
                .filter(|a| !a.threats.is_empty())
                .map(|a| format!("threatens {}", a.threat_texts())),
            None => answers(game, &p).filter(|a| a.all > 1).and_then(|a| match a.safe.as_slice() {
                [] => Some("everything loses at once".into()),
                [only] if *only == m => Some("forced".into()),
                _ => None,
            }),
        };
        plies.push(Ply { text: game.move_text(&p, m), by: side.word(), note });
        p = after;
    }
    (plies, p)
}

/// Why a game is over.
fn ending<G: Playable>(game: &G, p: &G::Position) -> Option<Reason> {
    game.why(p).map(|why| Reason { text: sentence(&why), ..Reason::default() })
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.trim().trim_end_matches('.').chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use crate::{Job, open};

    fn reasons(spec: &str, position: &str) -> Vec<String> {
        let game = open(spec).expect("a game");
        let job = Job { position: Some(position.into()), ..Job::default() };
        let explanation = game.explain(&job).expect("an explanation");
        explanation.reasons.into_iter().map(|r| r.text).collect()
    }

    #[test]
    fn a_win_at_once_names_the_line() {
        let reasons = reasons("mnk:3,3,3", "xx./oo./...");
        assert_eq!(reasons[..2], ["Only c3 wins at once.", "After 1 ply: X has the line a3 b3 c3."]);
    }

    #[test]
    fn two_threats_cannot_both_be_stopped() {
        let reasons = reasons("mnk:3,3,3", "x.x/.o./x.o");
        assert_eq!(reasons[0], "X threatens a2 and b3, and O can stop only one.");
    }

    #[test]
    fn a_draw_and_a_finished_game_have_reasons() {
        assert_eq!(reasons("mnk:3,3,3", ".../.../...")[0], "Every move draws: neither side can force a win.");
        assert_eq!(reasons("mnk:3,3,3", "xxx/oo./..."), ["X has the line a3 b3 c3."]);
    }

    #[test]
    fn the_line_goes_to_the_end_and_says_what_is_forced() {
        let game = open("mnk:4,4,3").expect("a game");
        let explanation = game.explain(&Job::default()).expect("an explanation");
        let notes: Vec<_> = explanation.line.iter().map(|p| p.note.as_deref().unwrap_or("")).collect();
        assert_eq!(explanation.line.len(), 5, "{:?}", explanation.line);
        assert_eq!(notes.last(), Some(&"wins"));
        assert!(notes[2].starts_with("threatens"), "{notes:?}");
    }
}
