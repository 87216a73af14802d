//! What is said of a verdict, by name: the reasons for it, and what the moves of a line do.

ludex_core::sentences! {
    WIN_SOLE = "win.sole": "The only move is {move}, and it wins.";
    WIN_SOLE_NOW = "win.sole_now": "The only move is {move}, and it wins at once.";
    WIN_ONLY = "win.only": "The only winning move is {move}.";
    WIN_ONLY_NOW = "win.only_now": "The only winning move is {move}, and it wins at once.";
    WIN_ALL = "win.all": "Every move wins, soonest by playing {move}.";
    WIN_ALL_EQUAL = "win.all_equal": "Every move wins, and all equally soon.";
    WIN_ALL_NOW = "win.all_now": "Every move wins; playing {move} wins at once.";
    WIN_SOME = "win.some": "{n} of {all} moves win, soonest by playing {move}.";
    WIN_SOME_NOW = "win.some_now": "{n} of {all} moves win; playing {move} wins at once.";
    AFTER = "after": "After {move}, {what}";
    LOSS_ANYWAY = "loss.anyway": "It loses all the same; playing {move} holds out longest.";
    LOSS_SOLE = "loss.sole": "{side} has only one move, {move}, and it loses.";
    LOSS_BOTH = "loss.both": "Both moves of {side} lose; playing {move} holds out longest.";
    LOSS_BOTH_EQUAL = "loss.both_equal": "Both moves of {side} lose, and hold out equally long.";
    LOSS_EQUAL = "loss.equal": "All {n} moves of {side} lose, and hold out equally long.";
    LOSS_ALL = "loss.all": "All {n} moves of {side} lose; playing {move} holds out longest.";
    DRAW_SOLE = "draw.sole": "{side} has only one move, {move}, and it draws.";
    DRAW_ALL = "draw.all": "Every move draws: neither side can force a win.";
    DRAW_ONLY = "draw.only": "No move wins, and only playing {move} holds the draw.";
    DRAW_SOME = "draw.some": "No move wins; {n} of {all} hold the draw.";
    UNFINISHED = "unfinished": "The search is not finished. {known}";
    ENDS = "line.ends": "After {n} plies: {why}";
    ENDS_NOW = "line.ends_now": "After 1 ply: {why}";
    TWO_THREATS = "pressed.two": "{winner} threatens {moves}, and {loser} can stop only one.";
    ONE_THREAT = "pressed.one": "{loser} cannot stop {winner}'s threat {moves}.";
    MUST_MOVE = "pressed.must_move": "{loser} has to move, and every move lets {winner} win at once.";
    MUST_ANSWER = "pressed.must_answer": "{loser} has to answer {move}: anything else loses at once.";
    NOTE_ENDS = "note.ends": "ends the game";
    NOTE_WINS = "note.wins": "wins";
    NOTE_LOSES = "note.loses": "loses";
    NOTE_THREATENS = "note.threatens": "threatens {moves}";
    NOTE_HELPLESS = "note.helpless": "everything loses at once";
    NOTE_FORCED = "note.forced": "forced";
    FACT = "fact": "{name}: {value}.";
    HAS_WON = "verdict.won": "{side} has won.";
    WINS_IN = "verdict.wins_in": "{side} wins in {n} with perfect play.";
    WINS = "verdict.wins": "{side} wins with perfect play.";
    GAME_DRAWN = "verdict.drawn": "The game is drawn.";
    DRAW = "verdict.draw": "Draw with perfect play.";
    AT_LEAST_DRAW = "verdict.at_least_draw": "{side} has at least a draw.";
    CANNOT_WIN = "verdict.cannot_win": "{side} cannot win any more.";
    NOTHING_CERTAIN = "verdict.uncertain": "Nothing is certain yet.";
}
