//! What a walk through a certificate says, by name.

ludex_core::sentences! {
    WON = "proof.won": "{own} has won, as was proved.";
    DRAWN = "proof.drawn": "The game is drawn: {own} has not lost, as was proved.";
    ENDS = "proof.ends": "{own} plays {move}, and the game ends as was claimed.";
    NOTHING = "proof.nothing": "The certificate says nothing of this position.";
    PLAYS = "proof.plays": "{own} plays {move}.";
    ANY_REPLY = "proof.any_reply": "Whatever {other} plays, {own} has an answer: choose any reply.";
    DEAD = "proof.dead": "{other} has no line left to complete, so {own} cannot lose.";
    STEAL = "proof.steal": "A stone more never hurts: if {other} had a winning plan, {own}, who begins, could use it first. So {other} has none.";
    FEW_LINES = "proof.few_lines": "{other}'s open lines are too few: {own} takes the cell that spoils most of them, each time, and none is ever completed.";
    PARTNERS = "proof.partners": "When {other} takes a cell of a pair, {own} takes its partner, so no line through a pair is completed; the other lines are too few.";
    ONE_THREAT = "proof.one_threat": "{own} plays {cells}: a line, or two threats at once.";
    THREATS = "proof.threats": "{own} threatens at {cells}, one after the other: each threat has one answer only, and the last cannot be met.";
    MANY_WAYS = "proof.many_ways": "{own} threatens to win in several ways that share no cell: no reply stops them all.";
    ZONE = "proof.zone": "A reply that leaves {cells} alone changes nothing: {own} wins by threats. The others have answers of their own.";
    GUARD = "proof.guard": "Most replies change nothing: {own} answers cells of pairs by their partners and spoils the few other lines. Only {cells} take answers of their own.";
    FOLLOW = "proof.follow": "{own} follows: wherever {other} plays, {own} plays right above, and so {other} never gets four in a line.";
    FOLLOW_BELOW = "proof.follow_below": "{own} follows: wherever {other} plays, {own} plays right above, until {other} must play below {cells}; there {own} makes four.";
    FOLLOW_FOUR = "proof.follow_four": "{own} follows: wherever {other} plays, {own} plays right above, and so gets {cells}, which makes four.";
    BY_RULE = "proof.by_rule": "The rule '{rule}' settles it.";
    CLAIM_DRAW = "claim.draw": "{side} has at least a draw.";
    CLAIM_WIN = "claim.win": "{side} wins.";
    CLAIM_WITHIN = "claim.within": "{side} wins within {n} moves of both sides.";
}
