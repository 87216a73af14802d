//! Why a position is worth what it is, in words.
//!
//! Everything here is read off the rules: who can win at once, which answers hold that off, which moves keep the value,
//! and how the line of best play ends. What a game sees without search (a pairing, a potential) and what it counts
//! (threats, lines) is added in its own words.

use std::time::Duration;

use ludex_core::{AND, Error, Notation, OR, Outcome, Probe as _, Reason, Said, Side, sort_by};

use crate::{
    AnyGame as _, Question, Terms,
    answer::{Analysis, Explanation, ExplanationKind, Ply, VERSION},
    host::Host,
    monitor::Monitor,
    sentences::{self, NOTE_LOSES, NOTE_WINS},
    words,
};

/// With more moves than this in a position, the answers to each are not looked at.
const MANY: usize = 64;
/// So many equally good moves are named; of more, one.
const NAMED: usize = 4;

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
    fn threat_texts(&self) -> Said {
        AND.chain(self.threats.iter().map(|t| t.text.as_str().into()))
    }
}

/// Why a position is worth what it is: an analysis in words, and a line of best play to its end.
pub(crate) fn answer<G: Notation>(
    host: &Host<G>,
    question: &Question,
    terms: &Terms,
) -> Result<Explanation, Error> {
    let monitor = Monitor::new(&question.budget, terms);
    let question = Question { goal: host.usual_goal(), ..question.clone() };
    let analysis = host.judge_moves(&question, terms)?;
    let (game, p) = (host.game(), host.position_of(&question)?);
    let mut line: Vec<G::Move> = Vec::new();
    let (mut end, mut next) = (p, analysis.verdict.pv.clone());
    while !next.is_empty() {
        for text in next {
            let m = game.parse_move(&end, &text)?;
            line.push(m);
            end = game.play(&end, m);
        }
        let time = match question.budget.time.map(|t| t.checked_sub(monitor.elapsed())) {
            _ if game.outcome(&end).is_some() || !analysis.verdict.is_solved() => break,
            Some(None | Some(Duration::ZERO)) => break,
            _ if monitor.check(0).is_some() => break,
            left => left.flatten(),
        };
        // A table forgets the ends of long lines: ask again from where the line stops.
        let on = question.moved_on(game.position_text(&end), question.goal, time);
        let verdict = host.judge_one(&on, terms)?;
        next = if verdict.is_solved() { verdict.pv } else { Vec::new() };
    }
    Ok(explain(game, &p, &analysis, &line, &monitor))
}

/// Put an analysis in words; `line` is a line of best play.
fn explain<G: Notation>(
    game: &G,
    p: &G::Position,
    analysis: &Analysis,
    line: &[G::Move],
    monitor: &Monitor,
) -> Explanation {
    let verdict = &analysis.verdict;
    let over = game.outcome(p).is_some();
    let (plies, end) = follow(game, p, line, verdict.winner(), monitor);
    let reasons =
        if over { ending(game, p).into_iter().collect() } else { reasons(game, p, analysis, line, &end) };
    Explanation {
        kind: ExplanationKind::Explanation,
        version: VERSION,
        game: verdict.game.clone(),
        position: verdict.position.clone(),
        to_move: verdict.to_move,
        status: verdict.status,
        verdict: words::verdict(game.side_names(), verdict.to_move, verdict.bounds, over),
        reasons,
        line: plies,
        warnings: verdict.warnings.clone(),
    }
}

/// What is seen of an unfinished game, in texts: what the words are made of, whatever the game.
struct Sight {
    /// The first move of the line, and its clicks.
    first: String,
    clicks: Vec<String>,
    /// How the other side is pressed after it, where it is that side's turn.
    pressed_after: Pressed,
    /// How the side to move is pressed, and whether it has an answer that does not lose at once.
    pressed_here: Pressed,
    has_answer: bool,
    /// Why the game at the end of the line is over, and how long the line is.
    ending: Option<Reason>,
    plies: usize,
}

/// A sentence, if there is one, and the cells it is about.
type Pressed = (Option<Said>, Vec<String>);

/// The reasons for the value of an unfinished game.
fn reasons<G: Notation>(
    game: &G,
    p: &G::Position,
    analysis: &Analysis,
    line: &[G::Move],
    end: &G::Position,
) -> Vec<Reason> {
    // Without a line any move will do: a search that was stopped says nothing of it.
    let Some(m) = line.first().copied().or_else(|| game.moves(p).first().copied()) else { return Vec::new() };
    let (verdict, names) = (&analysis.verdict, game.side_names());
    let (mover, other) = (names[verdict.to_move.index()], names[verdict.to_move.other().index()]);
    let after = game.play(p, m);
    let won = verdict.outcome == Some(Outcome::Win);
    let pressed_after = match answers(game, &after).filter(|_| won && game.side(&after) != verdict.to_move) {
        Some(answers) => pressed(game, &after, &answers, other, mover),
        None => (None, Vec::new()),
    };
    let here = answers(game, p).filter(|_| matches!(verdict.outcome, Some(Outcome::Loss) | None));
    let mut reasons = said(
        analysis,
        names,
        Sight {
            first: game.move_text(p, m),
            clicks: game.clicks(p, m),
            pressed_after,
            has_answer: here.as_ref().is_some_and(|answers| !answers.safe.is_empty()),
            pressed_here: here.map_or((None, Vec::new()), |answers| pressed(game, p, &answers, mover, other)),
            ending: ending(game, end),
            plies: line.len(),
        },
    );
    reasons.extend(game.settled(p).into_iter().map(|reason| Reason { said: reason.said.whole(), ..reason }));
    let winner = verdict.winner().map(|side| names[side.index()]);
    for fact in game.facts(p) {
        if winner.is_some_and(|name| fact.name.contains(name)) {
            let [name, value] = fact.said.unwrap_or_else(|| [fact.name.into(), fact.value.into()]);
            let said = sentences::FACT.say([("name", name.into()), ("value", value.into())]).whole();
            reasons.push(Reason { said, cells: fact.cells, pairs: Vec::new() });
        }
    }
    reasons
}

/// The verdict's reasons in words.
fn said(analysis: &Analysis, names: [&str; 2], sight: Sight) -> Vec<Reason> {
    let verdict = &analysis.verdict;
    let mover = names[verdict.to_move.index()];
    let all = analysis.moves.len();
    let worth = |outcome| analysis.moves.iter().filter(|m| m.outcome == Some(outcome)).count();
    let Sight { first, clicks, pressed_after, pressed_here, has_answer, ending, plies } = sight;
    let here = || clicks.clone();
    let mut reasons = Vec::new();
    let mut say = |said: Said, cells: Vec<String>| {
        reasons.push(Reason { said, cells, pairs: Vec::new() });
    };
    let equal = match &verdict.best[..] {
        best @ [_, _, ..] if best.len() <= NAMED => OR.chain(best.iter().map(|m| m.as_str().into())).into(),
        _ => first.clone().into(),
    };
    let all_equal = all > 1 && verdict.best.len() == all;
    let (first, side) = (("move", first.into()), ("side", mover.into()));
    let best = ("move", equal);
    let count = |n: usize| ("n", n.into());
    let of_all = ("all", all.into());
    match verdict.outcome {
        Some(Outcome::Win) => {
            let now = verdict.plies == Some(1);
            let or_now = |later, at_once| if now { at_once } else { later };
            let said = match worth(Outcome::Win) {
                1 if all == 1 => or_now(sentences::WIN_SOLE, sentences::WIN_SOLE_NOW).say([first.clone()]),
                1 => or_now(sentences::WIN_ONLY, sentences::WIN_ONLY_NOW).say([first.clone()]),
                _ if all_equal && !now => sentences::WIN_ALL_EQUAL.say([]),
                wins if wins == all => or_now(sentences::WIN_ALL, sentences::WIN_ALL_NOW).say([best]),
                wins => or_now(sentences::WIN_SOME, sentences::WIN_SOME_NOW).say([count(wins), of_all, best]),
            };
            say(said, here());
            if let (Some(what), cells) = pressed_after {
                say(sentences::AFTER.say([first, ("what", what.into())]), cells);
            }
        }
        Some(Outcome::Loss) => match pressed_here {
            (Some(said), cells) => {
                say(said.whole(), cells);
                if has_answer {
                    say(sentences::LOSS_ANYWAY.say([best]), here());
                }
            }
            _ if all == 1 => say(sentences::LOSS_SOLE.say([side, first]), here()),
            _ if all == 2 && all_equal => say(sentences::LOSS_BOTH_EQUAL.say([side]), Vec::new()),
            _ if all_equal => say(sentences::LOSS_EQUAL.say([count(all), side]), Vec::new()),
            _ if all == 2 => say(sentences::LOSS_BOTH.say([side, best]), here()),
            _ => say(sentences::LOSS_ALL.say([count(all), side, best]), here()),
        },
        Some(Outcome::Draw) => match worth(Outcome::Draw) {
            1 if all == 1 => say(sentences::DRAW_SOLE.say([side, first]), here()),
            draws if draws == all => say(sentences::DRAW_ALL.say([]), Vec::new()),
            1 => say(sentences::DRAW_ONLY.say([first]), here()),
            draws => say(sentences::DRAW_SOME.say([count(draws), of_all]), here()),
        },
        None => {
            if let (Some(said), cells) = pressed_here {
                say(said, cells);
            }
            let known = words::said(names, verdict.to_move, verdict.bounds, false);
            say(sentences::UNFINISHED.say([("known", known.into())]), Vec::new());
        }
    }
    if let Some(why) = ending {
        let ended = ("why", why.said.into());
        let said = match plies {
            1 => sentences::ENDS_NOW.say([ended]),
            _ => sentences::ENDS.say([count(plies), ended]),
        };
        say(said, why.cells);
    }
    reasons
}

/// How the side to move is pressed, if it is: it has no good answer, or one only.
fn pressed<G: Notation>(
    game: &G,
    p: &G::Position,
    answers: &Answers<G::Move>,
    loser: &str,
    winner: &str,
) -> Pressed {
    let cells = || answers.threats.iter().flat_map(|t| t.clicks.clone()).collect();
    let threats = || ("moves", answers.threat_texts().into());
    let (loser, winner) = (("loser", loser.into()), ("winner", winner.into()));
    match (answers.safe.as_slice(), answers.threats.as_slice()) {
        ([], [_, _, ..]) => (Some(sentences::TWO_THREATS.say([winner, threats(), loser])), cells()),
        ([], [_]) => (Some(sentences::ONE_THREAT.say([loser, winner, threats()])), cells()),
        ([], []) => (Some(sentences::MUST_MOVE.say([loser, winner])), Vec::new()),
        ([only], _) if answers.all > 1 => {
            let only_move = ("move", game.move_text(p, *only).into());
            (Some(sentences::MUST_ANSWER.say([loser, only_move])), game.clicks(p, *only))
        }
        _ => (None, Vec::new()),
    }
}

/// What the side to move can answer; `None` where there are too many moves, or the same side moves twice.
fn answers<G: Notation>(game: &G, p: &G::Position) -> Option<Answers<G::Move>> {
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
    // The smallest first; there are hardly ever more than two.
    for i in 1..threats.len() {
        let mut j = i;
        while j > 0 && threats[j].m < threats[j - 1].m {
            threats.swap(j, j - 1);
            j -= 1;
        }
    }
    Some(Answers { all: moves.len(), safe, threats })
}

fn moves<G: Notation>(game: &G, p: &G::Position) -> Vec<G::Move> {
    let mut moves = game.moves(p);
    sort_by(&mut moves, Ord::cmp);
    moves
}

/// The line with what its moves do, and where it ends.
fn follow<G: Notation>(
    game: &G,
    p: &G::Position,
    line: &[G::Move],
    winner: Option<Side>,
    monitor: &Monitor,
) -> (Vec<Ply>, G::Position) {
    let mut p = *p;
    let mut plies = Vec::with_capacity(line.len());
    for &m in line {
        let side = game.side(&p);
        let after = game.play(&p, m);
        let note = match game.outcome(&after) {
            Some(Outcome::Draw) => Some(sentences::NOTE_ENDS.say([])),
            // The last move need not be the winner's: in a misère game it loses.
            Some(over) => {
                let won = (over == Outcome::Win) == (game.side(&after) == side);
                Some(if won { NOTE_WINS } else { NOTE_LOSES }.say([]))
            }
            // A line is worth telling without its notes, which take time.
            None if monitor.check(0).is_some() => None,
            None if Some(side) == winner => answers(game, &after)
                .filter(|a| !a.threats.is_empty())
                .map(|a| sentences::NOTE_THREATENS.say([("moves", a.threat_texts().into())])),
            None => answers(game, &p).filter(|a| a.all > 1).and_then(|a| match a.safe.as_slice() {
                [] => Some(sentences::NOTE_HELPLESS.say([])),
                [only] if *only == m => Some(sentences::NOTE_FORCED.say([])),
                _ => None,
            }),
        };
        let (text, note, said) = (game.move_text(&p, m), note.as_ref().map(Said::to_string), note);
        plies.push(Ply { text, by: side, note, said });
        p = after;
    }
    (plies, p)
}

/// Why a game is over.
fn ending<G: Notation>(game: &G, p: &G::Position) -> Option<Reason> {
    game.why(p).map(|why| why.whole().into())
}
