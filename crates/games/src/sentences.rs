//! What the games say of a position, by name: how a game has ended, what is out of reach, what can be counted.

ludex_core::sentences! {
    FOUR = "end.four": "{side} has four in a line: {cells} (column-row).";
    FULL = "end.full": "The board is full.";
    LINE = "end.line": "{side} has the line {cells}";
    NO_LINE = "end.no_line": "the board is full and there is no line";
    EVERY_LINE = "end.every_line": "every line has a stone of {side}";
    EVERY_LINE_CELL = "end.every_line_cell": "{side} has a cell in every line";
    TOP_BOTTOM = "end.top_bottom": "{side} connects top and bottom: {cells}";
    LEFT_RIGHT = "end.left_right": "{side} connects left and right: {cells}";
    NO_MOVE = "end.no_move": "{side} has no move left";
    SET = "end.set": "{side} has {cells}";
    EVERY_SET = "end.every_set": "{side} has a stone in every set";
    PLIES_UP = "end.plies": "the plies are used up";
    COLLAPSED = "end.collapsed": "{side} is stuck on {cell}: it has to make {demand}, but all cards around it have collapsed";
    OCCUPIED = "end.occupied": "{side} is stuck on {cell}: it has to make {demand}, but that could end only on {other}, where {winner} stands";
    TOO_FAR = "end.too_far": "{side} is stuck on {cell}: it has to make {demand}, but over the cards that lie it can make no more than {n}";
    STONE_IN_EACH = "stopped.each": "{attacker} can complete no line any more: {defender} has a stone in each";
    TAKES = "stopped.takes": "{attacker} can complete no line any more: {defender} takes {cell}";
    PAIRS = "stopped.pairs": "{attacker} can complete no line any more: {defender} answers each cell of a pair by the other one ({pairs})";
    TAKES_PAIRS = "stopped.takes_pairs": "{attacker} can complete no line any more: {defender} takes {cell} and then answers each cell of a pair by the other one ({pairs})";
    POTENTIAL_STOPS = "stopped.potential": "{attacker} can complete no line any more: the {n} lines left lack too much, and {defender} always takes the most dangerous cell (Erdős and Selfridge)";
    THREATS = "fact.threats": "Threats of {side}";
    ODD = "fact.odd": "column {column} row {row} (odd)";
    EVEN = "fact.even": "column {column} row {row} (even)";
    LINES_FOR = "fact.lines_for": "Lines alive for {side}";
    COMPLETES = "fact.completes": "{side} completes at";
    SETS_FOR = "fact.sets_for": "Sets alive for {side}";
    POTENTIAL = "fact.potential": "Potential";
    LINES = "fact.lines": "Lines alive";
    BY_LEFT = "fact.by_left": "By cells left";
    STEP = "step": "1 step";
    STEPS = "steps": "{n} steps";
    STEPS_WILD = "steps.wild": "1 to 4 steps";
    COMMA = "comma": "{a}, {b}";
    WITH_LEFT = "fact.with_left": "{n} with {left} left";
}
