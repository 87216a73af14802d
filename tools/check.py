#!/usr/bin/env python3
"""Checks Ludex certificates: files that prove what a position of a game is worth.

    python3 tools/check.py FILE...            one line per file; exit code 0 if every file is valid, 3 if one is not,
                                              2 if one cannot be read or is larger than the limits below
    python3 tools/check.py --stats FILE...    and what the file is made of

As a library: `check(path)` returns a `Result`.

This is the second of two checkers. It shares no code with `ludex check` and was written from docs/src/certificate.md
and the rules of the games alone, with Python's standard library only (3.10 or later). It never searches: it replays
the claimant's moves against every reply of the opponent. The names of that page are used here: `prove`, `claimant`,
`opponent`, candidates, known; each rule stands in a method `rule_NAME` of the games that have it.

Memory: the header (at most 1 MiB, times a small factor for what is parsed from it), 64 KiB of each chunk at a time, one
position for each move of the line of play, and about 200 bytes for each position that a chunk remembers, at most
LIMIT_REMEMBERED of them. Time: at most LIMIT_SECONDS for a file. Beyond these limits the verdict is "gave up".
"""

from __future__ import annotations

import argparse
import hashlib
import math
import re
import sys
import time
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import BinaryIO
from collections.abc import Callable, Iterable, Iterator

LIMIT_HEADER = 1 << 20
LIMIT_INFLATED = 1 << 31
LIMIT_NUMBER = 1 << 32
LIMIT_LINE_OF_PLAY = 1000
LIMIT_REMEMBERED = 20_000_000
LIMIT_SECONDS = 6 * 3600
PIECE = 1 << 16

FIRST, SECOND, DRAW = 0, 1, 2
SIDES = ("first", "second")
UNLIMITED = math.inf  # the page's ∞; unlike a large number it stays what it is when 1 is taken away


class Refused(Exception):
    """The file proves nothing, and this is why."""


class GaveUp(Exception):
    """The file is larger than this checker's own limits; nothing is known about what it proves."""


def need(condition, why: str) -> None:
    if not condition:
        raise Refused(why)


def number(text: str, what: str, least: int = 0, most: int = LIMIT_NUMBER - 1) -> int:
    need(re.fullmatch("0|[1-9][0-9]{0,9}", text), f"{what} is not a number")
    value = int(text)
    need(least <= value <= most, f"{what} is {value}, not in {least} to {most}")
    return value


def numbers(text: str, separator: str, count: int, what: str, least: int = 1) -> list[int]:
    parts = text.split(separator)
    need(len(parts) == count, f"{what} is not of {count} numbers")
    return [number(part, what, least) for part in parts]


def side_named(text: str) -> int:
    need(text in SIDES, f"a side is first or second, not {text!r}")
    return SIDES.index(text)


def bits(board: int) -> Iterator[int]:
    """The numbers of the bits that are set, lowest first."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest


def is_single(board: int) -> bool:
    return board != 0 and board & (board - 1) == 0


@dataclass(frozen=True)
class Claim:
    side: int
    outcome: str
    within: float

    @property
    def good(self) -> frozenset[int]:
        """The results of finished games that satisfy the claim."""
        return frozenset({self.side} if self.outcome == "win" else {self.side, DRAW})

    def __str__(self) -> str:
        limit = "" if self.within == UNLIMITED else f" within {self.within}"
        return f"{SIDES[self.side]} {self.outcome}{limit}"


# ---------------------------------------------------------------------------------------------------------------------
# What all games share
# ---------------------------------------------------------------------------------------------------------------------


class Game:
    """The rules of a game, and the certificate rules that it has besides `play`.

    A position is any value that can be compared; its last element is the side to move. A certificate rule is called
    with (position, w, claim, token[, parameter]). It rejects by raising `Refused`; it may return a list of moves of the
    opponent that remain to be proved.
    """

    here: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    parameters: dict[str, int] = {}  # rules with a parameter, and the greatest value of it

    def position(self, board: str, side: int):
        raise NotImplementedError

    def result(self, p) -> int | None:
        """FIRST, SECOND or DRAW if the game is over, else None."""
        raise NotImplementedError

    def moves(self, p) -> list:
        raise NotImplementedError

    def play(self, p, move):
        raise NotImplementedError

    def show(self, p, move) -> str:
        raise NotImplementedError

    def to_move(self, p) -> int:
        return p[-1]

    def canonical(self, p):
        """The same value for a position and all its images under the symmetries, different ones otherwise."""
        return p

    def results_at_once(self, p) -> set[int]:
        """The results that one move can end the game with. Games override this with something faster."""
        return {self.result(self.play(p, m)) for m in self.moves(p)} - {None}

    def candidates(self, p, claim: Claim) -> list | None:
        """The moves not refuted at once where no move ends the game as claimed; None if there is no quick way."""
        return None

    def rule(self, place: str, word: str) -> Callable:
        """The rule that a word of the header's line `here` or `after` names."""
        name, equals, parameter = word.partition("=")
        need(name in getattr(self, place), f"this game has no rule {word!r} in {place!r}")
        method = getattr(self, "rule_" + name)
        most = self.parameters.get(name)
        need((most is not None) == bool(equals), f"rule {word!r}: a parameter is missing or not allowed")
        if most is None:
            return method
        value = number(parameter, f"the parameter of {word!r}", 1, most)
        return lambda p, w, claim, token: method(p, w, claim, token, value)


def rows_of(board: str, rows: int, columns: int, alphabet: str) -> list[str]:
    """The rows of a board's text, the top one first."""
    parts = board.split("/")
    need(len(parts) == rows, f"the board has {len(parts)} rows, not {rows}")
    for part in parts:
        need(len(part) == columns, f"a row of the board has {len(part)} cells, not {columns}")
        need(set(part) <= set(alphabet), f"a row of the board has a character that is not one of {alphabet!r}")
    return parts


def masks(cells: Iterable[str], symbols: str) -> list[int]:
    """For each symbol the set of the cells that show it."""
    board = [0] * len(symbols)
    for i, cell in enumerate(cells):
        if cell in symbols:
            board[symbols.index(cell)] |= 1 << i
    return board


def cell_name(column: int, row: int) -> str:
    return (chr(ord("a") + column) if column < 26 else f"{column + 1}:") + str(row)


class Permutation:
    """A permutation of bits, applied byte by byte from tables."""

    def __init__(self, target: list[int]):
        self.length = (len(target) + 7) // 8
        self.tables = []
        for start in range(0, len(target), 8):
            table = [0] * 256
            for byte in range(256):
                table[byte] = sum(1 << target[start + i] for i in bits(byte) if start + i < len(target))
            self.tables.append(table)

    def __call__(self, board: int) -> int:
        image = 0
        for table, byte in zip(self.tables, board.to_bytes(self.length, "little")):
            image |= table[byte]
        return image


class StoneGame(Game):
    """Games of stones that stay where they are put. A position is (first's cells, second's cells, side to move)."""

    cells: int

    def use_symmetries(self, maps: list[list[int]]) -> None:
        """`maps` are permutations of the cells, the identity not among them."""
        n = self.cells
        self.images = [Permutation(m + [n + c for c in m]) for m in maps]

    def canonical(self, p):
        packed = p[1] << self.cells | p[0]
        return min([packed] + [image(packed) for image in self.images]) << 1 | p[2]

    def empty(self, p) -> int:
        return ((1 << self.cells) - 1) & ~(p[0] | p[1])

    def moves(self, p) -> list[int]:
        return list(bits(self.empty(p)))

    def play(self, p, move):
        if p[2] == FIRST:
            return p[0] | 1 << move, p[1], SECOND
        return p[0], p[1] | 1 << move, FIRST


# ---------------------------------------------------------------------------------------------------------------------
# Line games, and the rules on lines: dead, stop, threats, zone
# ---------------------------------------------------------------------------------------------------------------------


def unpaired(rests: Iterable[int], pairs: list[int]) -> set[int]:
    """Of the sets that contain no pair, the cells in no pair."""
    paired = sum(pairs)
    return {rest & ~paired for rest in rests if not any(rest & pair == pair for pair in pairs)}


def minimal(sets: Iterable[int]) -> list[int]:
    """The sets that contain no other."""
    least: list[int] = []
    for s in sorted(sets, key=int.bit_count):
        if not any(inner & s == inner for inner in least):
            least.append(s)
    return least


def stopped(sets: set[int]) -> bool:
    """Whether the sum of 2 to the minus size over the minimal sets is below 1."""

    def below_one(of: Iterable[int]) -> bool:
        sizes = [s.bit_count() for s in of]
        one = 1 << max(sizes, default=0)
        return sum(one >> size for size in sizes) < one

    # All sets together weigh at least as much as the minimal ones.
    return below_one(sets) or below_one(minimal(sets))


class LineGame(StoneGame):
    """Games with lines, sets of cells. `lines[SIDE]` are the lines that SIDE can complete."""

    lines: tuple[list[int], list[int]]
    both_complete = True  # False where first wants to complete a line and second only to stop that

    def has_line(self, stones: int, side: int) -> bool:
        return any(not line & ~stones for line in self.lines[side])

    def completing(self, p, side: int) -> int:
        """The empty cells with which a side would complete a line."""
        own, other = p[side], p[1 - side]
        found = 0
        for line in self.lines[side]:
            if not line & other:
                rest = line & ~own
                if rest & (rest - 1) == 0:
                    found |= rest
        return found

    def hint_cell(self, token, empty: int) -> int:
        cell = token()
        need(cell < self.cells and empty >> cell & 1, f"hint: cell {cell} is not an empty cell")
        return 1 << cell

    def maker_breaker_at_once(self, p) -> set[int]:
        """`results_at_once` where first completes a line or second stops them all."""
        if p[2] == FIRST:
            return {FIRST} if self.completing(p, FIRST) else set()
        common = self.empty(p)
        for line in self.lines[FIRST]:
            if not line & p[1]:
                common &= line
                if not common:
                    return set()
        return {SECOND}

    def maker_breaker_result(self, p) -> int | None:
        if self.has_line(p[0], FIRST):
            return FIRST
        still_open = self.has_line(p[0] | self.empty(p), FIRST)
        return None if still_open else SECOND

    def rule_dead(self, p, w, claim: Claim, token):
        need(claim.outcome == "draw", "dead: the claim is not draw")
        own = p[claim.side]
        need(all(line & own for line in self.lines[1 - claim.side]), "dead: the opponent has an open line")

    def pair_list(self, p, w, claim: Claim, token) -> list[int]:
        """The hints of `stop`: pairs of empty cells, all of them different."""
        need(claim.outcome == "draw" if self.both_complete else claim.side == SECOND, "stop: not a rule for this claim")
        need(w == UNLIMITED, "stop: the number of moves is limited")
        free, pairs = self.empty(p), []
        n = token()
        need(n <= self.cells, "stop: more pairs than cells")
        for _ in range(n):
            a = self.hint_cell(token, free)
            b = self.hint_cell(token, free & ~a)
            free &= ~(a | b)
            pairs.append(a | b)
        return pairs

    def rests(self, p, claim: Claim) -> set[int]:
        """What is left of the opponent's open lines."""
        own, empty = p[claim.side], self.empty(p)
        return {line & empty for line in self.lines[1 - claim.side] if not line & own}

    def rule_stop(self, p, w, claim: Claim, token):
        pairs = self.pair_list(p, w, claim, token)
        least = minimal(unpaired(self.rests(p, claim), pairs))
        # All weights times 2 to the size of the largest set, so that they are whole numbers.
        one = 1 << max((s.bit_count() for s in least), default=0)
        weighed = [(s, one >> s.bit_count()) for s in least]
        total = sum(weight for _, weight in weighed)
        need(total < one, "stop: the sum is not below 1")
        if p[2] != claim.side:
            for c in bits(self.empty(p)):
                total_at = sum(weight for s, weight in weighed if s >> c & 1)
                need(total + total_at < one, f"stop: cell {c} lifts the sum to 1")

    def rule_guard(self, p, w, claim: Claim, token) -> list[int]:
        n = token()
        need(1 <= n <= self.cells, "guard: no lists, or more than cells")
        lists = [self.pair_list(p, w, claim, token) for _ in range(n)]
        rests = self.rests(p, claim)
        left = []
        for m in self.moves(p):
            stone = 1 << m
            now = {rest & ~stone for rest in rests}
            if not any(stopped(unpaired(now, [pair for pair in pairs if not pair & stone])) for pairs in lists):
                left.append(m)
        return left

    def threat_sequence(self, p, w, claim: Claim, token) -> tuple[int, int]:
        """Checks the hints of one threat sequence with the claimant to move, and returns its carrier and the cells that
        the opponent took in it."""
        need(self.both_complete or claim.side == FIRST, "threats: not a rule for this claim")
        side = claim.side
        board = [p[0], p[1]]
        carrier = answers = 0
        n = token()
        need(1 <= n <= self.cells, "threats: no moves, or more than cells")
        for i in range(1, n + 1):
            stone = self.hint_cell(token, self.empty(board))
            board[side] |= stone
            carrier |= stone
            if self.has_line(board[side], side):
                need(i == n, "threats: the sequence goes on after its win")
                proved = 2 * n - 1
                break
            if self.both_complete:
                need(not self.completing(board, 1 - side), "threats: the opponent can complete a line")
            threats = self.completing(board, side)
            if i == n:
                need(threats and not is_single(threats), "threats: the last move does not make two threats")
                lowest = threats & -threats
                rest = threats ^ lowest
                carrier |= lowest | rest & -rest
                proved = 2 * n + 1
            else:
                need(is_single(threats), "threats: a move does not make exactly one threat")
                board[1 - side] |= threats
                carrier |= threats
                answers |= threats
        need(proved <= w, f"threats: the win takes {proved} moves, more than {w}")
        return carrier, answers

    def rule_threats(self, p, w, claim: Claim, token):
        self.threat_sequence(p, w, claim, token)

    def rule_zone(self, p, w, claim: Claim, token) -> list[int]:
        n = token()
        need(1 <= n <= self.cells, "zone: no sequences, or more than cells")
        zone = self.empty(p)
        for _ in range(n):
            carrier, answers = self.threat_sequence(p, w - 1, claim, token)
            if self.both_complete:
                for rest in self.rests(p, claim):
                    lacking = rest & ~answers
                    if lacking.bit_count() <= 2:
                        carrier |= lacking
            zone &= carrier
        return [m for m in self.moves(p) if zone >> m & 1]


# ---------------------------------------------------------------------------------------------------------------------
# connect4
# ---------------------------------------------------------------------------------------------------------------------


class ConnectFour(LineGame):
    """Column c (from 0), row r (from 1, the bottom) is bit c·(H + 1) + r − 1; the bit above each column stays empty.

    6 13 20 27 34 41 48      <- never set: shifts cannot run from one column into the next
    5 12 19 26 33 40 47
    ...
    0  7 14 21 28 35 42
    """

    here = ("dead",)
    after = ("dead", "follow", "even", "odd", "promised")

    def __init__(self, parameters: str | None):
        self.width, self.height = (7, 6) if parameters is None else numbers(parameters, "x", 2, "the board's size", 4)
        need(self.width * (self.height + 1) <= 128, "the board is too large")
        self.stride = self.height + 1
        self.directions = (1, self.stride, self.stride - 1, self.stride + 1)
        self.column = (1 << self.height) - 1
        self.bottom = sum(1 << c * self.stride for c in range(self.width))
        self.board = self.bottom * self.column
        self.parameters = {"odd": self.width, "promised": self.height}
        self.upper = sum(self.bottom << r - 1 for r in range(1, self.height + 1) if r % 2 == self.height % 2)
        self.lower = self.board & ~self.upper
        lines = []
        for cell in bits(self.board):
            for d in self.directions:
                line = 1 << cell | 1 << cell + d | 1 << cell + 2 * d | 1 << cell + 3 * d
                if not line & ~self.board:
                    lines.append(line)
        self.lines = (lines, lines)

    def position(self, board: str, side: int):
        rows = rows_of(board, self.height, self.width, ".xo")
        stones = [0, 0]
        for c in range(self.width):
            column = "".join(row[c] for row in reversed(rows))
            need("." not in column.rstrip("."), f"column {c + 1} has an empty cell below a stone")
            for r, cell in enumerate(column.rstrip(".")):
                stones["xo".index(cell)] |= 1 << c * self.stride + r
        return stones[0], stones[1], side

    def empty(self, p) -> int:
        return self.board & ~(p[0] | p[1])

    def has_four(self, stones: int) -> bool:
        for d in self.directions:
            pairs = stones & stones >> d
            if pairs & pairs >> 2 * d:
                return True
        return False

    def completing(self, p, side: int) -> int:
        stones = p[side]
        found = 0
        for d in self.directions:
            pairs = stones & stones >> d
            threes = pairs & stones >> 2 * d
            found |= threes << 3 * d | threes >> d | (pairs & stones >> 3 * d) << 2 * d | (stones & pairs >> 2 * d) << d
        return found & self.board & ~(p[0] | p[1])

    def result(self, p) -> int | None:
        for side in (1 - p[2], p[2]):
            if self.has_four(p[side]):
                return side
        return None if p[0] | p[1] != self.board else DRAW

    def landing(self, p) -> int:
        """The lowest empty cell of each column that is not full: adding a stone's bit to a column carries up to it."""
        return ((p[0] | p[1]) + self.bottom) & self.board

    def moves(self, p) -> list[int]:
        return list(bits(self.landing(p)))  # bits go column by column, so this is the order by column

    def show(self, p, move) -> str:
        return "0123456789abcdefghijklmnopqrstuvwxyz"[move // self.stride + 1]

    def results_at_once(self, p) -> set[int]:
        landing = self.landing(p)
        found = set()
        if self.completing(p, p[2]) & landing:
            found.add(p[2])
        elif is_single(self.empty(p)):
            found.add(DRAW)
        return found

    def canonical(self, p):
        # First's stones of a column, and a bit right above all stones of it, tell the whole column.
        key = rest = p[0] | (p[0] | p[1]) + self.bottom
        image, mask = 0, (1 << self.stride) - 1
        for _ in range(self.width):
            image = image << self.stride | rest & mask
            rest >>= self.stride
        return min(key, image) << 1 | p[2]

    # The rules of the section "Connect Four"

    def candidates(self, p, claim: Claim) -> list | None:
        if claim.side != p[2] or self.empty(p).bit_count() <= 2:
            return None
        landing = self.landing(p)
        threats = self.completing(p, 1 - claim.side)
        stops = threats & landing
        if stops:  # any other stone leaves a four to the opponent
            landing = stops if is_single(stops) else 0
        return list(bits(landing & ~(threats >> 1)))  # nor may a stone lie right below such a cell

    def threats(self, p, claim: Claim) -> int:
        return self.completing(p, claim.side) & ~self.landing(p)

    def settled(self, p, w, claim: Claim, words: list[str], rules: list) -> bool:
        """Whether one of the rules settles the position. Those that cannot apply are not tried: cuts at upper threats
        take an even number of cells away, the cut of `odd` at a lower one an odd number."""
        odd = self.empty(p).bit_count() % 2 == 1
        threats = self.threats(p, claim)
        for word, rule in zip(words, rules):
            if word.startswith("odd"):
                possible = odd and threats & self.lower & self.column << (int(word[4:]) - 1) * self.stride
            elif word == "even":
                possible = not odd and threats & self.upper
            else:
                possible = word == "dead" or not odd and word != "play"
            if possible:
                try:
                    rule(p, w, claim, None)
                except Refused:
                    continue
                return True
        return False

    def upper_cuts(self, p, claim: Claim) -> dict[int, int]:
        """For every column with an upper threat the row of the lowest."""
        cuts: dict[int, int] = {}
        for cell in bits(self.threats(p, claim) & self.upper):
            cuts.setdefault(cell // self.stride, cell % self.stride + 1)
        return cuts

    def rule_follow(self, p, w, claim: Claim, token):
        need(claim.outcome == "draw", "follow: the claim is not draw")
        self.follow_up(p, claim, self.upper_cuts(p, claim))

    def rule_even(self, p, w, claim: Claim, token):
        cuts = self.upper_cuts(p, claim)
        need(cuts, "even: no upper threat")
        self.follow_up(p, claim, cuts)
        self.in_time(p, w, self.left_empty(cuts))

    def rule_odd(self, p, w, claim: Claim, token, column: int):
        cuts = self.upper_cuts(p, claim)
        c = column - 1
        threats = self.threats(p, claim) & self.lower & self.column << c * self.stride
        need(threats, f"odd: no lower threat in column {column}")
        row = (threats & -threats).bit_length() - c * self.stride
        need(cuts.get(c, self.height) >= row, f"odd: an upper threat below the lower one in column {column}")
        cuts[c] = row
        self.follow_up(p, claim, cuts)
        self.in_time(p, w, self.left_empty(cuts))

    def rule_promised(self, p, w, claim: Claim, token, row: int):
        self.follow_up(p, claim, self.upper_cuts(p, claim), row)
        self.in_time(p, w, self.height - row)

    def follow_up(self, p, claim: Claim, cuts: dict[int, int], row: int | None = None) -> None:
        """Steps 1 to 5. `cuts` maps columns (from 0) to rows; `row` is the parameter of `promised`, else None."""
        follower, leader = p[claim.side], p[1 - claim.side]
        empty, landing = self.empty(p), self.landing(p)
        # A column is numbered from its top, or from two below its cut, which has the parity of the cut.
        high, above, below_cut = self.upper, 0, 0
        for c, cut in cuts.items():
            column = self.column << c * self.stride
            if (cut - self.height) % 2:
                high ^= column
            above |= column & column << cut - 1
            below_cut |= 1 << c * self.stride + cut - 2
        on_cut_board = empty & ~above & ~below_cut
        need(on_cut_board.bit_count() % 2 == 0, "follow-up: the number of empty cells on the cut board is odd")
        high &= on_cut_board
        singles, promised = high & landing, high & ~landing
        reach = leader | empty & ~promised & ~above
        if self.has_four(reach):
            shared = row is None and singles.bit_count() == 2
            need(
                shared and not any(self.has_four(reach & ~(1 << cell)) for cell in bits(singles)),
                "follow-up: the leader may get a four",
            )
        if row is not None:
            low = self.bottom * ((1 << row) - 1)
            # The follower has no four yet, since the game is not over: any four here has a promised cell.
            need(self.has_four(follower | promised & low), f"promised: no four up to row {row}")

    def left_empty(self, cuts: dict[int, int]) -> int:
        return sum(self.height - row + 2 for row in cuts.values()) - 2

    def in_time(self, p, w, left_empty: int) -> None:
        """Step 6: the win is there with so many cells left empty."""
        takes = self.empty(p).bit_count() - left_empty
        need(takes <= w, f"follow-up: the win may take {takes} moves, more than {w}")


# ---------------------------------------------------------------------------------------------------------------------
# mnk
# ---------------------------------------------------------------------------------------------------------------------


class Mnk(LineGame):
    """A line of direction d that starts at cell c is the cells c, c + d, c + 2d, ...; `starts` are pairs of a d and the
    set of all c where K cells fit. So shifts find the lines of one direction all at once."""

    def __init__(self, parameters: str | None):
        need(parameters is not None, "mnk needs M,N,K")
        size, comma, rule = parameters.partition(",rule=")
        need(not comma or rule in ("weak", "misere"), "the rule is weak or misere")
        self.rules = rule or "strong"
        self.width, self.height, self.length = numbers(size, ",", 3, "M,N,K")
        need(self.length <= 225, "K is greater than 225")
        self.cells = self.width * self.height
        need(self.cells <= 225, "the board has more than 225 cells")
        reach = self.length - 1
        self.starts = []
        for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            cells = [
                y * self.width + x
                for y in range(self.height)
                for x in range(self.width)
                if 0 <= x + reach * dx < self.width and y + reach * dy < self.height
            ]
            if cells:
                self.starts.append((dy * self.width + dx, sum(1 << c for c in cells)))
        lines = {sum(1 << c + i * d for i in range(self.length)) for d, starts in self.starts for c in bits(starts)}
        self.lines = (sorted(lines), sorted(lines))
        if self.rules == "strong":
            self.here, self.after = ("dead", "stop", "threats", "steal"), ("dead", "stop", "guard", "zone")
        elif self.rules == "weak":
            self.here, self.after = ("stop", "threats"), ("stop", "guard", "zone")
            self.both_complete = False
        self.use_symmetries(self.symmetries())

    def symmetries(self) -> list[list[int]]:
        m, n = self.width, self.height
        maps = []
        for flip_x in (False, True):
            for flip_y in (False, True):
                for transpose in (False, True) if m == n else (False,):
                    image = []
                    for y in range(n):
                        for x in range(m):
                            to_x, to_y = (y, x) if transpose else (x, y)
                            to_x, to_y = (m - 1 - to_x if flip_x else to_x), (n - 1 - to_y if flip_y else to_y)
                            image.append(to_y * m + to_x)
                    if image != list(range(self.cells)):
                        maps.append(image)
        return maps

    def position(self, board: str, side: int):
        rows = rows_of(board, self.height, self.width, ".xo")
        first, second = masks("".join(reversed(rows)), "xo")
        return first, second, side

    def show(self, p, move) -> str:
        return cell_name(move % self.width, move // self.width + 1)

    def has_line(self, stones: int, side: int) -> bool:
        for d, lines in self.starts:
            for i in range(self.length):
                lines &= stones >> i * d
                if not lines:
                    break
            else:
                return True
        return False

    def completing(self, p, side: int) -> int:
        found = 0
        for d, starts in self.starts:
            shifted = [p[side] >> i * d for i in range(self.length)]
            before = starts  # the lines that have all stones before the i-th
            for i in range(self.length):
                lines = before
                for stones in shifted[i + 1 :]:
                    lines &= stones
                found |= lines << i * d
                before &= shifted[i]
                if not before:
                    break
        return found & self.empty(p)

    def result(self, p) -> int | None:
        if self.rules == "weak":
            return self.maker_breaker_result(p)
        for side in (1 - p[2], p[2]):
            if self.has_line(p[side], side):
                return side if self.rules == "strong" else 1 - side
        return None if self.empty(p) else DRAW

    def results_at_once(self, p) -> set[int]:
        if self.rules == "weak":
            return self.maker_breaker_at_once(p)
        cells, empty = self.completing(p, p[2]), self.empty(p)
        found = set()
        if cells:
            found.add(p[2] if self.rules == "strong" else 1 - p[2])
        if is_single(empty) and not cells:
            found.add(DRAW)
        return found

    def rule_steal(self, p, w, claim: Claim, token):
        need(p == (0, 0, FIRST), "steal: the board is not empty, or second is to move")
        need(claim.side == FIRST and claim.outcome == "draw", "steal: the claim is not first draw")


# ---------------------------------------------------------------------------------------------------------------------
# seven
# ---------------------------------------------------------------------------------------------------------------------


class Seven(LineGame):
    here, after = ("stop", "threats"), ("stop", "guard", "zone")
    both_complete = False

    def __init__(self, parameters: str | None):
        form = r"([0-9]+)(,edges=harness)?(,first=breaker)?(,setup=[^, ]+)?"
        match = re.fullmatch(form, parameters or "")
        need(match, "seven needs N, then perhaps edges=harness, first=breaker, setup=TEXT")
        n = self.width = number(match[1], "N", 4, 31)
        self.cells = 4 * n
        lines = [{(r, c) for r in range(4)} for c in range(n)]
        for c in range(n - 3):
            lines += [{(i, c + i) for i in range(4)}, {(3 - i, c + i) for i in range(4)}]
        for r in range(4):
            if match[2]:
                spans = [(0, 4), (0, 5), (0, 6)] + [(c, c + 7) for c in range(n - 6)]
                spans += [(n - length, n) for length in (4, 5, 6) if n - length >= 7 or n < 7]
            else:
                spans = [(0, 4), (n - 4, n)] + [(c, c + 7) for c in range(1, n - 7)]
            lines += [{(r, c) for c in range(start, end)} for start, end in spans]
        if not match[2]:
            for short in ({(2, 0), (1, 1), (0, 2)}, {(1, 0), (2, 1), (3, 2)}, {(1, 0), (0, 1)}):
                lines += [short, {(r, n - 1 - c) for r, c in short}]
        found = {sum(1 << r * n + c for r, c in line if 0 <= c < n) for line in lines}
        self.lines = (sorted(found), [])
        maps = []
        for flip_c in (False, True):
            for flip_r in (False, True):
                image = [
                    (3 - r if flip_r else r) * n + (n - 1 - c if flip_c else c) for r in range(4) for c in range(n)
                ]
                if (flip_c or flip_r) and {sum(1 << image[cell] for cell in bits(line)) for line in found} == found:
                    maps.append(image)
        self.use_symmetries(maps)

    def position(self, board: str, side: int):
        first, second = masks("".join(rows_of(board, 4, self.width, ".MB")), "MB")
        return first, second, side

    def show(self, p, move) -> str:
        return f"{move // self.width},{move % self.width}"

    def result(self, p) -> int | None:
        return self.maker_breaker_result(p)

    def results_at_once(self, p) -> set[int]:
        return self.maker_breaker_at_once(p)


# ---------------------------------------------------------------------------------------------------------------------
# positional
# ---------------------------------------------------------------------------------------------------------------------


class Positional(LineGame):
    """A game from a `.pg` file, here called its sheet."""

    SECTIONS = (
        "#version #times #blackturns #positions #blackwins #whitewins #blackinitials #whiteinitials #firstmoves"
    ).split()
    images: list = []

    def __init__(self, sheet: list[str]):
        sections = self.sections(sheet)
        for name in ("#times", "#blackturns", "#positions", "#blackwins"):
            need(name in sections, f"the sheet has no {name}")

        def words(section: str) -> list[str]:
            found = [word for line in sections.get(section, []) for word in line]
            need(len(found) == len(set(found)), f"{section} has a name twice")
            return found

        def known(names: list[str], all_names: dict[str, int], section: str) -> list[int]:
            for name in names:
                need(name in all_names, f"{section}: {name!r} is not a name")
            return [all_names[name] for name in names]

        def sets(section: str) -> list[int]:
            found = set()
            for line in sections.get(section, []):
                need(len(line) == len(set(line)), f"{section} has a cell twice in a set")
                found.add(sum(1 << cell for cell in known(line, cells, section)))
            return sorted(found)

        self.names = words("#positions")
        need(1 <= len(self.names) <= 1000, "the sheet has no cells, or more than 1,000")
        cells = {name: i for i, name in enumerate(self.names)}
        plies = {name: i for i, name in enumerate(words("#times"))}
        self.cells, self.plies = len(cells), len(plies)
        turns = set(known(words("#blackturns"), plies, "#blackturns"))
        self.turn = [FIRST if ply in turns else SECOND for ply in range(self.plies)]
        self.lines = (sets("#blackwins"), sets("#whitewins"))
        need(self.lines[FIRST], "#blackwins has no set")
        self.initial = [
            sum(1 << cell for cell in known(words(section), cells, section))
            for section in ("#blackinitials", "#whiteinitials")
        ]
        need(not self.initial[0] & self.initial[1], "a cell has two stones at the start")
        stones = self.initial[0] | self.initial[1]
        self.initials = stones.bit_count()
        need(self.plies <= self.cells - self.initials, "there are more plies than empty cells")
        self.first_moves = sum(1 << cell for cell in known(words("#firstmoves"), cells, "#firstmoves"))
        need(not self.first_moves & stones, "a first move is on a stone")
        self.both_complete = bool(self.lines[SECOND])
        alternating = all(a != b for a, b in zip(self.turn, self.turn[1:]))
        plain = not self.first_moves and self.plies == self.cells - self.initials and alternating
        if self.both_complete:
            self.here, self.after = (("dead", "stop"), ("dead", "stop", "guard")) if plain else (("dead",), ("dead",))
        elif plain:
            self.here, self.after = ("stop", "threats"), ("stop", "guard", "zone")

    def sections(self, sheet: list[str]) -> dict[str, list[list[str]]]:
        """For each section its lines, as words, without the empty ones."""
        found: dict[str, list[list[str]]] = {}
        current = None
        for text in sheet:
            words = [word for word in re.split("[ \t\r]+", text.partition("%")[0]) if word]
            if words and words[0].startswith("#"):
                name = words.pop(0)
                need(name in self.SECTIONS, f"{name!r} is not a section of a sheet")
                need(name not in found, f"the sheet has {name} twice")
                current = found.setdefault(name, [])
            if words:
                need(current is not None, "the sheet has words before its first section")
                current.append(words)
        return found

    def ply(self, p) -> int:
        return (p[0] | p[1]).bit_count() - self.initials

    def position(self, board: str, side: int):
        rows_of(board, 1, self.cells, ".BW")
        first, second = masks(board, "BW")
        for own, initial in zip((first, second), self.initial):
            need(initial & ~own == 0, "the position lacks a stone of the start")
        ply = (first | second).bit_count() - self.initials
        need(0 <= ply <= self.plies, "the position has more stones than plies allow")
        need(ply == self.plies or self.turn[ply] == side, "the other side is to move at this ply")
        return first, second, side

    def result(self, p) -> int | None:
        first, second, _ = p
        hit = True
        for line in self.lines[FIRST]:
            if not line & second:
                if not line & ~first:
                    return FIRST
                hit = False
        if any(not line & ~second for line in self.lines[SECOND]):
            return SECOND
        over = self.ply(p) == self.plies
        if not self.both_complete and (hit or over):
            return SECOND
        return DRAW if over else None

    def moves(self, p) -> list[int]:
        empty = self.empty(p)
        if self.first_moves and self.ply(p) == 0:
            empty &= self.first_moves
        return list(bits(empty))

    def play(self, p, move):
        first, second, _ = super().play(p, move)
        ply = (first | second).bit_count() - self.initials
        # Once all plies are used nobody is to move; the side does not matter then, since the game is over.
        return first, second, self.turn[ply] if ply < self.plies else FIRST

    def results_at_once(self, p) -> set[int]:
        allowed = sum(1 << move for move in self.moves(p))
        if self.both_complete or p[2] == FIRST:
            ending = self.completing(p, p[2]) & allowed
        else:
            ending = allowed  # the cells that stop all lines that Black can still complete
            for line in self.lines[FIRST]:
                if not line & p[1]:
                    ending &= line
        found = {p[2]} if ending else set()
        if allowed & ~ending and self.ply(p) + 1 == self.plies:
            found.add(DRAW if self.both_complete else SECOND)
        return found

    def show(self, p, move) -> str:
        return self.names[move]


# ---------------------------------------------------------------------------------------------------------------------
# hex and nex
# ---------------------------------------------------------------------------------------------------------------------


class Hex(Game):
    """Cell (r, c) is bit r·(C + 1) + c; the bit after each row stays empty, so that rows do not touch."""

    symbols = "BW"
    most_cells = 19 * 19

    def __init__(self, parameters: str | None):
        self.rows, self.columns = numbers(parameters or "", "x", 2, "the board's size", 2)
        need(max(self.rows, self.columns) <= 19, "the board has more than 19 rows or columns")
        need(self.rows * self.columns <= self.most_cells, f"the board has more than {self.most_cells} cells")
        self.stride = self.columns + 1
        row = (1 << self.columns) - 1
        self.left = sum(1 << r * self.stride for r in range(self.rows))
        self.board = self.left * row
        ends = ((row, row << (self.rows - 1) * self.stride), (self.left, self.left << self.columns - 1))
        # (r, c) -> (R − 1 − r, C − 1 − c) reverses the bits of the board, without the unused one after the last row.
        last = self.rows * self.stride - 2
        self.turned = Permutation(list(range(last, -1, -1)))
        self.start, self.goal = tuple(e[0] for e in ends), tuple(e[1] for e in ends)

    def stones_of(self, board: str) -> list[int]:
        rows = rows_of(board, self.rows, self.columns, "." + self.symbols)
        return masks(".".join(rows), self.symbols)

    def position(self, board: str, side: int):
        first, second = self.stones_of(board)
        return first, second, side

    def neighbours(self, stones: int) -> int:
        s = self.stride
        return (stones << 1 | stones >> 1 | stones << s | stones >> s | stones << s - 1 | stones >> s - 1) & self.board

    def flood(self, seeds: int, stones: int) -> int:
        """The stones that are connected with the seeds by stones."""
        reached, grown = 0, seeds & stones
        while grown != reached:
            reached, grown = grown, (grown | self.neighbours(grown)) & stones
        return reached

    def connected(self, stones: int, side: int) -> bool:
        return bool(self.flood(self.start[side], stones) & self.goal[side])

    def connecting(self, stones: int, side: int) -> int:
        """The cells without a stone of the side with which it would be connected."""
        start, goal = self.start[side], self.goal[side]
        from_start = start | self.neighbours(self.flood(start, stones))
        from_goal = goal | self.neighbours(self.flood(goal, stones))
        return from_start & from_goal & ~stones

    def canonical(self, p):
        return min(p, tuple(map(self.turned, p[:-1])) + p[-1:])

    def empty(self, p) -> int:
        return self.board & ~(p[0] | p[1])

    def result(self, p) -> int | None:
        for side in (1 - p[-1], p[-1]):
            if self.connected(p[side], side):
                return side
        return None

    def moves(self, p) -> list[int]:
        return list(bits(self.empty(p)))

    def play(self, p, move):
        if p[2] == FIRST:
            return p[0] | 1 << move, p[1], SECOND
        return p[0], p[1] | 1 << move, FIRST

    def results_at_once(self, p) -> set[int]:
        return {p[2]} if self.connecting(p[p[2]], p[2]) & self.empty(p) else set()

    def name(self, bit: int) -> str:
        return cell_name(bit // self.stride, bit % self.stride + 1)

    def show(self, p, move) -> str:
        return self.name(move)


class Nex(Hex):
    """A position is (first's cells, second's cells, neutral cells, side to move).

    A move is (own stones put, neutral stones put, own stones taken away), as sets of cells; SWAP is the exception.
    """

    symbols = "BW?"
    most_cells = 36  # a board of 19 x 19 has a million moves, and `forced` looks at all replies to each
    SWAP = (0, 0, 0)

    def __init__(self, parameters: str | None):
        match = re.fullmatch("([0-9x]+)(,rules=official)?(,swap=on)?", parameters or "")
        need(match, "nex needs RxC, then perhaps rules=official, swap=on")
        super().__init__(match[1])
        self.official, self.swap = bool(match[2]), bool(match[3])
        need(not self.swap or self.rows == self.columns, "swap=on needs a square board")

    def position(self, board: str, side: int):
        first, second, neutral = self.stones_of(board)
        return first, second, neutral, side

    def empty(self, p) -> int:
        return self.board & ~(p[0] | p[1] | p[2])

    def moves(self, p) -> list[tuple[int, int, int]]:
        first, second, neutral, side = p
        empty = [1 << cell for cell in bits(self.empty(p))]
        found = [(a, b, 0) for a in empty for b in empty if a != b]
        grey, own = [1 << cell for cell in bits(neutral)], [1 << cell for cell in bits(p[side])]
        for i, a in enumerate(grey):
            for b in grey[i + 1 :]:
                found += [(a | b, c, c) for c in own]
        if self.official and not found:
            found = [(a, 0, 0) for a in empty or grey]
        if self.swap and side == SECOND and is_single(first) and not second and is_single(neutral):
            found.append(self.SWAP)
        return found

    def play(self, p, move):
        first, second, neutral, side = p
        if move == self.SWAP:
            first, second, neutral = self.transposed(second), self.transposed(first), self.transposed(neutral)
        else:
            put, put_neutral, taken = move
            neutral = neutral & ~put | put_neutral
            if side == FIRST:
                first = first & ~taken | put
            else:
                second = second & ~taken | put
        return first, second, neutral, 1 - side

    def transposed(self, cells: int) -> int:
        return sum(1 << bit % self.stride * self.stride + bit // self.stride for bit in bits(cells))

    def has_move(self, p) -> bool:
        empty, neutral = self.empty(p), p[2]
        if empty & (empty - 1) or neutral & (neutral - 1) and p[p[3]]:
            return True
        return bool(self.moves(p))

    def result(self, p) -> int | None:
        connected = super().result(p)
        if connected is not None:
            return connected
        return None if self.has_move(p) else DRAW

    def results_at_once(self, p) -> set[int]:
        empty, neutral, side = self.empty(p), p[2], p[3]
        if empty.bit_count() < 4:  # few enough empty cells that a move may leave no move
            return super(Hex, self).results_at_once(p)
        own = p[side]
        if self.connecting(own, side) & empty:
            return {side}
        if self.connected(own | neutral, side):
            grey = [1 << cell for cell in bits(neutral)]
            for c in bits(own):
                rest = own & ~(1 << c)
                if self.connected(rest | neutral, side):
                    for a in grey:
                        b = neutral & ~a
                        if b and (self.connected(rest | a, side) or self.connecting(rest | a, side) & b):
                            return {side}
        return set()

    def show(self, p, move) -> str:
        if move == self.SWAP:
            return "swap"
        put, put_neutral, _ = move
        stones = "".join("BW"[p[3]] + self.name(cell) for cell in bits(put))
        return stones + "".join("?" + self.name(cell) for cell in bits(put_neutral))


# ---------------------------------------------------------------------------------------------------------------------
# collapsi, heap, domineering
# ---------------------------------------------------------------------------------------------------------------------


class Collapsi(Game):
    """A position is (cards as text, first's cell, second's cell, side to move)."""

    def __init__(self, parameters: str | None):
        words = [] if parameters is None else parameters.split(",")
        self.wild = bool(words) and words[-1] == "joker=wild"
        if self.wild:
            words.pop()
        need(len(words) <= 1, "collapsi takes 3x3 or a deal, then joker=wild")
        self.size = 4
        if words == ["3x3"] or words and words[0].count("/") == 2:
            self.size = 3
        if words and words != ["3x3"]:
            self.position(words[0], FIRST)  # a deal only names a start, but must have the form of a board

    def position(self, board: str, side: int):
        n = self.size
        rows = board.replace("X", "Jx").replace("O", "Jo").split("/")
        need(len(rows) == n, f"the board has {len(rows)} rows, not {n}")
        cards, pawns = "", {}
        for row in rows:
            found = re.findall("([A234J.])([xo]?)", row)
            whole = "".join(card + pawn for card, pawn in found) == row
            need(whole and len(found) == n, f"{row!r} is not a row of {n} cards")
            for card, pawn in found:
                if pawn:
                    need(card != "." and pawn not in pawns, "a pawn is there twice, or on a collapsed cell")
                    pawns[pawn] = len(cards)
                cards += card
        need(len(pawns) == 2, "a pawn is missing")
        return cards, pawns["x"], pawns["o"], side

    def moves(self, p) -> list[int]:
        cards, first, second, side = p
        n = self.size
        start, other = (first, second) if side == FIRST else (second, first)
        card = cards[start]
        lengths = {1, 2, 3, 4} if card == "J" and self.wild else {{"A": 1, "J": 1}.get(card) or int(card)}
        ends = set()
        walks = [(start,)]
        for length in range(1, max(lengths) + 1):
            longer = []
            for walk in walks:
                r, c = divmod(walk[-1], n)
                for to in ((r + 1) % n * n + c, (r - 1) % n * n + c, r * n + (c + 1) % n, r * n + (c - 1) % n):
                    if to not in walk and cards[to] != ".":
                        longer.append(walk + (to,))
            walks = longer
            if length in lengths:
                ends.update(walk[-1] for walk in walks)
        return sorted(ends - {other})

    def play(self, p, move):
        cards, first, second, side = p
        left = first if side == FIRST else second
        cards = cards[:left] + "." + cards[left + 1 :]
        return (cards, move, second, SECOND) if side == FIRST else (cards, first, move, FIRST)

    def result(self, p) -> int | None:
        return None if self.moves(p) else 1 - p[3]

    def show(self, p, move) -> str:
        n = self.size
        return "-".join(cell_name(cell % n, cell // n + 1) for cell in (p[1 + p[3]], move))


class Heap(Game):
    """A position is (counters, side to move)."""

    def __init__(self, parameters: str | None):
        self.most = number(parameters or "", "the number of counters", 1, 500)

    def position(self, board: str, side: int):
        return number(board, "the number of counters", 0, self.most), side

    def moves(self, p) -> list[int]:
        return list(range(1, min(3, p[0]) + 1))

    def play(self, p, move):
        return p[0] - move, 1 - p[1]

    def result(self, p) -> int | None:
        return None if p[0] else 1 - p[1]

    def show(self, p, move) -> str:
        return str(move)


class Domineering(Game):
    """A position is (first's cells, second's cells, side to move); a move is (its text, its two cells)."""

    def __init__(self, parameters: str | None):
        self.rows, self.columns = numbers(parameters or "", "x", 2, "the board's size")
        need(self.rows * self.columns <= 64 and max(self.rows, self.columns) <= 26, "the board is too large")
        self.pieces: tuple[list, list] = ([], [])
        for r in range(self.rows):
            for c in range(self.columns):
                for side, (dr, dc) in ((FIRST, (1, 0)), (SECOND, (0, 1))):
                    if r + dr < self.rows and c + dc < self.columns:
                        text = f"{cell_name(c, self.rows - r)}-{cell_name(c + dc, self.rows - r - dr)}"
                        cells = 1 << r * self.columns + c | 1 << (r + dr) * self.columns + c + dc
                        self.pieces[side].append((text, cells))
        for pieces in self.pieces:
            pieces.sort()

    def position(self, board: str, side: int):
        first, second = masks("".join(rows_of(board, self.rows, self.columns, ".xo")), "xo")
        return first, second, side

    def moves(self, p) -> list[tuple[str, int]]:
        taken = p[0] | p[1]
        return [piece for piece in self.pieces[p[2]] if not piece[1] & taken]

    def play(self, p, move):
        if p[2] == FIRST:
            return p[0] | move[1], p[1], SECOND
        return p[0], p[1] | move[1], FIRST

    def result(self, p) -> int | None:
        return None if self.moves(p) else 1 - p[2]

    def show(self, p, move) -> str:
        return move[0]


GAMES = {
    "connect4": ConnectFour,
    "mnk": Mnk,
    "seven": Seven,
    "hex": Hex,
    "nex": Nex,
    "collapsi": Collapsi,
    "heap": Heap,
    "domineering": Domineering,
}


# ---------------------------------------------------------------------------------------------------------------------
# The header
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Chunk:
    claim: int
    within: float
    size: int
    inflated: int
    remembered: int
    sha256: str
    root: tuple


class Header:
    """The header of a file, read line by line; everything that is not as the page says is refused."""

    def __init__(self, file: BinaryIO):
        self.file = file
        self.size = 0
        self.line = 0
        self.hash = hashlib.sha256()
        self.claims: list[Claim] = []
        self.chunks: list[Chunk] = []
        try:
            self.read()
        except Refused as why:
            raise Refused(f"header, line {self.line}: {why}") from None

    def read(self) -> None:
        need(self.next_line() == "ludex certificate 1", "not a Ludex certificate of version 1")
        self.spec = self.value("game ")
        self.game = self.read_game()
        self.board, side = self.words(self.value("position "), 2)
        self.side = side_named(side)
        self.root = self.game.position(self.board, self.side)
        line = self.next_line()
        while line.startswith("claim "):
            self.read_claim(line)
            line = self.next_line()
        need(self.claims, "no claim")
        need(line in ("level strategy", "level position"), "expected the level: strategy or position")
        self.level = line.removeprefix("level ")
        need(self.next_line() == "tables none", "expected: tables none")
        self.implied = self.words_once(self.value("implied "))
        allowed = ["win", "repeat"]
        if isinstance(self.game, LineGame):
            allowed = ["win", "forced", "repeat", "only"]
        if isinstance(self.game, ConnectFour):
            allowed.insert(3, "leaf")
        in_order = [word for word in allowed if word in self.implied]
        need(self.implied == in_order, "implied: a word that is not allowed, or not in order")
        need("forced" in self.implied or "only" not in self.implied, "implied: only without forced")
        self.here_words = self.words_once(self.value("here "))
        self.here = [self.game.rule("here", word) for word in self.here_words]
        self.after_words = self.words_once(self.value("after "))
        self.after = [None if word == "play" else self.game.rule("after", word) for word in self.after_words]
        need("play" in self.after_words, "after: play is missing")
        need(
            ("steal" in self.here_words) == (self.level == "position"),
            "the level is position if, and only if, steal is in the list",
        )
        line = self.next_line()
        while line.startswith("chunk "):
            self.read_chunk(line)
            line = self.next_line()
        self.check_chunks()
        need(line == "digest sha256 " + self.digest, "the digest is not that of the header")
        need(self.file.read(1) == b"\n", "no empty line after the header")

    def next_line(self) -> str:
        self.line += 1
        self.digest = self.hash.hexdigest()  # of all lines before this one
        raw = self.file.readline(LIMIT_HEADER - self.size + 1)
        self.size += len(raw)
        need(self.size <= LIMIT_HEADER, "the header is larger than 1 MiB")
        need(raw.endswith(b"\n"), "the file ends within the header")
        self.hash.update(raw)
        try:
            return raw[:-1].decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("not UTF-8") from None

    def value(self, key: str) -> str:
        line = self.next_line()
        need(line.startswith(key), f"expected: {key.strip()}")
        return line.removeprefix(key)

    @staticmethod
    def words(text: str, count: int) -> list[str]:
        words = text.split(" ")
        need(len(words) == count and all(words), f"expected {count} words, separated by single spaces")
        return words

    @staticmethod
    def words_once(text: str) -> list[str]:
        if text == "nothing":
            return []
        words = text.split(" ")
        need(all(words) and len(words) == len(set(words)), "an empty word, or a word twice")
        return words

    def read_game(self) -> Game:
        name, colon, parameters = self.spec.partition(":")
        if name != "positional":
            need(name in GAMES, f"this checker does not know the game {name!r}")
            need(" " not in self.spec, "a space in the game's name")
            return GAMES[name](parameters if colon else None)
        match = re.fullmatch("sha256=([0-9a-f]{64})", parameters)
        need(match, "positional needs sha256=H, 64 lower-case hexadecimal digits")
        count = number(self.value("sheet "), "the number of lines")
        sheet = [self.next_line() for _ in range(count)]
        text = "\n".join(sheet).encode()
        found = {hashlib.sha256(text).hexdigest(), hashlib.sha256(text + b"\n").hexdigest()}
        need(count and match[1] in found, "the sheet is not the one of the game's digest")
        return Positional(sheet)

    def read_claim(self, line: str) -> None:
        words = line.split(" ")
        need(len(words) in (4, 6), "expected: claim N SIDE OUTCOME [within W]")
        need(number(words[1], "the claim's number") == len(self.claims) + 1, "claims are numbered 1, 2, ...")
        side, outcome = side_named(words[2]), words[3]
        need(outcome in ("win", "draw"), "the outcome is win or draw")
        within = UNLIMITED
        if len(words) == 6:
            need(words[4] == "within" and outcome == "win", "only `within W`, and only with win")
            within = number(words[5], "within")
        self.claims.append(Claim(side, outcome, within))

    def read_chunk(self, line: str) -> None:
        words = self.words(line, 17)
        keys = ["chunk", "claim", "within", "bytes", "inflated", "remembered", "sha256", "position"]
        need(
            words[0:15:2] == keys,
            "expected: chunk N claim C within W bytes B inflated I remembered R sha256 H position BOARD SIDE",
        )
        need(number(words[1], "the chunk's number") == len(self.chunks) + 1, "chunks are numbered 1, 2, ...")
        claim = number(words[3], "the chunk's claim", 1, len(self.claims)) - 1
        within = UNLIMITED if words[5] == "any" else number(words[5], "within")
        need(within == UNLIMITED or self.claims[claim].outcome == "win", "a number of moves for a draw")
        size, remembered = number(words[7], "bytes"), number(words[11], "remembered")
        inflated = number(words[9], "inflated", 0, LIMIT_INFLATED)
        need(re.fullmatch("[0-9a-f]{64}", words[13]), "sha256 is not 64 lower-case hexadecimal digits")
        root = self.game.position(words[15], side_named(words[16]))
        self.chunks.append(Chunk(claim, within, size, inflated, remembered, words[13], root))

    def check_chunks(self) -> None:
        """Every claim has a chunk, and the first of them is about the position of the file. Also makes `roots`: for
        each claim the chunks that others may refer to, by their roots."""
        first: dict[int, Chunk] = {}
        self.roots: list[dict] = [{} for _ in self.claims]
        for chunk in self.chunks:
            first.setdefault(chunk.claim, chunk)
            if self.game.to_move(chunk.root) == self.claims[chunk.claim].side:
                same = self.roots[chunk.claim].setdefault(self.game.canonical(chunk.root), [])
                same.append(chunk)
                # Two are enough, those with the least limits: a chunk may not refer to itself.
                same.sort(key=lambda other: other.within)
                del same[2:]
        for c, claim in enumerate(self.claims):
            need(c in first, f"claim {c + 1} has no chunk")
            need(first[c].root == self.root, f"the first chunk of claim {c + 1} has another position than the file")
            need(first[c].within == claim.within, f"the first chunk of claim {c + 1} has another limit than the claim")


# ---------------------------------------------------------------------------------------------------------------------
# The chunks
# ---------------------------------------------------------------------------------------------------------------------


class Tokens:
    """The tokens of one chunk. The zlib stream is inflated piece by piece."""

    def __init__(self, file: BinaryIO, chunk: Chunk):
        self.file, self.chunk = file, chunk
        self.unread = chunk.size
        self.inflater = zlib.decompressobj()
        self.hash = hashlib.sha256()
        self.inflated = 0
        self.buffer, self.at = b"", 0

    def refill(self) -> bool:
        """Inflates the next piece; False at the end of the stream."""
        self.buffer, self.at = b"", 0
        while not self.buffer and not self.inflater.eof:
            source = self.inflater.unconsumed_tail
            if not source and self.unread:
                source = self.file.read(min(PIECE, self.unread))
                need(source, "the file ends within a chunk")
                self.unread -= len(source)
            try:
                self.buffer = self.inflater.decompress(source, PIECE)
            except zlib.error:
                raise Refused("not a zlib stream") from None
            need(source or self.buffer or self.inflater.eof, "the zlib stream is cut off")
        self.inflated += len(self.buffer)
        need(self.inflated <= self.chunk.inflated, "the chunk inflates to more bytes than the header says")
        self.hash.update(self.buffer)
        return bool(self.buffer)

    def byte(self) -> int:
        if self.at == len(self.buffer):
            need(self.refill(), "no token is left")
        self.at += 1
        return self.buffer[self.at - 1]

    def token(self) -> int:
        byte = self.byte()
        if byte < 128:
            return byte
        value, shift = byte & 127, 7
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            need(value < LIMIT_NUMBER and shift <= 28, "a token is 2^32 or more")
            if byte < 128:
                need(byte, "a token ends with a zero byte")
                return value
            shift += 7

    def end(self) -> None:
        need(self.at == len(self.buffer) and not self.refill(), "bytes are left over at the end of the chunk")
        need(not self.unread and not self.inflater.unused_data, "bytes are left over after the zlib stream")
        need(self.inflated == self.chunk.inflated, "the chunk inflates to fewer bytes than the header says")
        need(self.hash.hexdigest() == self.chunk.sha256, "the chunk's SHA-256 is not that of the header")


class Replies:
    """A position of the opponent whose replies are being proved: one level of the recursion on the page.

    `settled` are the positions with the claimant to move that are proved once all replies are; `path` are the
    claimant's moves that have led here from the reply before; `depth` counts all moves from the chunk's root.
    """

    __slots__ = ("position", "w", "moves", "settled", "path", "depth", "reply")

    def __init__(self, position, w, moves, settled, path, depth):
        self.position, self.w, self.moves = position, w, iter(moves)
        self.settled, self.path, self.depth = settled, path, depth
        self.reply = None


class Proof:
    """Checks one chunk. `run` is `prove(root, W)` of the page with a stack of its own instead of recursion."""

    def __init__(
        self, header: Header, chunk: Chunk, file: BinaryIO, stats: Counter, deadline: float, most_remembered: int
    ):
        self.header, self.chunk, self.stats = header, chunk, stats
        self.game, self.claim = header.game, header.claims[chunk.claim]
        self.good = self.claim.good
        self.win, self.forced, self.repeat, self.leaf, self.only = (
            word in header.implied for word in ("win", "forced", "repeat", "leaf", "only")
        )
        self.tokens = Tokens(file, chunk)
        self.token = self.tokens.token
        self.play = header.after_words.index("play")
        self.deadline, self.most_remembered = deadline, most_remembered
        self.known: dict = {}
        self.stack: list[Replies] = []
        self.path: list = []  # the claimant's moves since the last reply, as (position, move)
        self.depth = 0  # the number of moves from the root to the last reply

    def run(self) -> None:
        game, stack = self.game, self.stack
        self.prove(self.chunk.root, self.chunk.within)
        while stack:
            self.look_at_clock()
            level = stack[-1]
            level.reply = next(level.moves, None)
            if level.reply is None:
                stack.pop()
                self.remember(level.settled)
            else:
                self.depth = level.depth + 1
                self.prove(game.play(level.position, level.reply), level.w - 1)
        self.path = []
        self.tokens.end()
        need(len(self.known) <= self.chunk.remembered, "more positions are remembered than the header says")
        self.stats["remembered"] += len(self.known)

    def prove(self, p, w) -> None:
        """`prove` and `claimant` of the page. Replies that remain to be proved are put on the stack."""
        game, good = self.game, self.good
        self.path = []
        need(self.depth <= LIMIT_LINE_OF_PLAY, "a line of play of more than 1,000 moves")
        result = game.result(p)
        if result is not None:
            need(result in good, f"the game is over: {self.told(result)}")
            self.stats["finished games"] += 1
            return
        need(w > 0, "the game is not over after the number of moves claimed")
        settled: list = []  # positions to remember once what follows is proved
        if game.to_move(p) != self.claim.side:
            k = self.token()
            need(k < len(self.header.after), f"token {k} is not a rule of `after`")
            return self.opponent(p, w, k, settled)
        while True:
            if self.win and not good.isdisjoint(game.results_at_once(p)):
                self.stats["implied wins"] += 1
                return self.remember(settled)
            if self.repeat and self.is_known(p, w):
                return self.remember(settled)
            candidates = self.candidates(p) if self.leaf or self.only else None
            if self.leaf and self.leads_to_a_leaf(p, w, candidates):
                self.stats["implied leaves"] += 1
                return self.remember(settled)
            settled.append((p, w))
            if self.only and len(candidates) == 1:
                move, k = candidates[0], self.play
                self.stats["only moves"] += 1
            else:
                t = self.token()
                if t < len(self.header.here):
                    self.stats["rule " + self.header.here_words[t]] += 1
                    self.header.here[t](p, w, self.claim, self.token)
                    return self.remember(settled)
                t -= len(self.header.here)
                i, k = (t, self.play) if self.leaf else divmod(t, len(self.header.after))
                move = self.candidate(p, i, candidates)
                self.stats["moves"] += 1
            self.path.append((p, move))
            self.depth += 1
            need(self.depth <= LIMIT_LINE_OF_PLAY, "a line of play of more than 1,000 moves")
            p = game.play(p, move)
            result = game.result(p)
            if result is not None:
                need(result in good, f"the game is over: {self.told(result)}")
                need(self.header.after[k] is None, "a rule after the last move")
                return self.remember(settled)
            need(w > 1, "the game is not over after the number of moves claimed")
            w -= 1
            if game.to_move(p) != self.claim.side:
                return self.opponent(p, w, k, settled)
            need(self.header.after[k] is None, "a rule although the claimant is to move again")

    def opponent(self, p, w, k: int, settled: list) -> None:
        rule = self.header.after[k]
        if rule is None:
            replies = self.game.moves(p)
            need(replies, "the game is not over, and there is no move")
            self.stats["positions answered"] += 1
        else:
            self.stats["rule " + self.header.after_words[k]] += 1
            replies = rule(p, w, self.claim, self.token)
        if replies:
            self.stack.append(Replies(p, w, replies, settled, self.path, self.depth))
            self.path = []
            self.stats["longest line"] = max(self.stats["longest line"], self.depth + 1)
        else:
            self.remember(settled)

    def candidates(self, p) -> list:
        if not self.forced:
            return self.game.moves(p)
        quickly = self.game.candidates(p, self.claim) if self.win else None
        if quickly is not None:
            return quickly
        return [move for move in self.game.moves(p) if not self.refuted_at_once(self.game.play(p, move))]

    def leads_to_a_leaf(self, p, w, candidates: list) -> bool:
        """Whether a rule of `after` without hints settles the position after one of the candidates."""
        if w < 2:
            return False
        words, rules = self.header.after_words, self.header.after
        for move in candidates:
            q = self.game.play(p, move)
            if self.game.result(q) is None and self.game.settled(q, w - 1, self.claim, words, rules):
                return True
        return False

    def candidate(self, p, i: int, listed: list | None):
        """candidates(P)[i]"""
        if listed is not None:
            need(i < len(listed), "the move is not one of the candidates")
            return listed[i]
        for move in self.game.moves(p):
            self.look_at_clock()
            if not self.forced or not self.refuted_at_once(self.game.play(p, move)):
                if i == 0:
                    return move
                i -= 1
        raise Refused("the move is not one of the candidates")

    def refuted_at_once(self, q) -> bool:
        result = self.game.result(q)
        if result is not None:
            return result not in self.good
        return self.game.to_move(q) != self.claim.side and not self.game.results_at_once(q) <= self.good

    def is_known(self, p, w) -> bool:
        key = self.game.canonical(p)
        least = self.known.get(key)
        if least is not None and least <= w:
            self.stats["repeats"] += 1
            return True
        if self.stack or self.path:  # below the root
            for other in self.header.roots[self.chunk.claim].get(key, ()):
                if other is not self.chunk and other.within <= w:
                    self.stats["references"] += 1
                    return True
        return False

    def remember(self, settled: list) -> None:
        if self.repeat:
            for p, w in settled:
                key = self.game.canonical(p)
                self.known[key] = min(w, self.known.get(key, UNLIMITED))
            need(len(self.known) <= self.chunk.remembered, "more positions are remembered than the header says")
            if len(self.known) > self.most_remembered:
                raise GaveUp(f"more than {self.most_remembered} positions to remember")

    def look_at_clock(self) -> None:
        if time.monotonic() > self.deadline:
            raise GaveUp("the time is over")

    def told(self, result: int) -> str:
        return "a draw" if result == DRAW else f"{SIDES[result]} has won"

    def line_of_play(self) -> list[str]:
        """The moves from the chunk's position to where the checker stands."""
        line = []
        for level in self.stack:
            line += [self.game.show(p, move) for p, move in level.path]
            if level.reply is not None:
                line.append(self.game.show(level.position, level.reply))
        return line + [self.game.show(p, move) for p, move in self.path]


# ---------------------------------------------------------------------------------------------------------------------
# Files
# ---------------------------------------------------------------------------------------------------------------------

VALID, REFUSED, GAVE_UP, UNREADABLE = "valid", "refused", "gave up", "unreadable"


@dataclass
class Result:
    """What came of a file. `claims` are what its header says, proved only if `valid`."""

    path: str
    verdict: str = REFUSED
    fault: str = ""
    line: list[str] | None = None  # the moves from the chunk's position to the fault
    game: str = ""
    position: str = ""
    claims: list[str] = field(default_factory=list)
    level: str = ""
    stats: Counter = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def valid(self) -> bool:
        return self.verdict == VALID

    def __str__(self) -> str:
        what = f"{self.game} at {self.position}: {', '.join(self.claims)}: " if self.claims else ""
        text = f"{self.path}: {what}{self.verdict}"
        if self.valid:
            text += f", {self.stats['moves']} moves stored"
        else:
            text += f": {self.fault}"
        if self.line is not None:
            text += f" (after {' '.join(self.line) or 'no move'})"
        return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def check(path, seconds: float = LIMIT_SECONDS, remembered: int = LIMIT_REMEMBERED) -> Result:
    """Checks a certificate: `path` names a file, or is one that is open for reading bytes."""
    begin = time.monotonic()
    if hasattr(path, "read"):
        file, result = path, Result(getattr(path, "name", "certificate"))
    else:
        result = Result(str(path))
        try:
            file = open(path, "rb")
        except (OSError, ValueError) as why:  # a ValueError for names with a zero byte
            result.verdict, result.fault = UNREADABLE, str(why)
            return result
    try:
        check_file(file, result, begin + seconds, remembered)
        result.verdict = VALID
    except Refused as why:
        result.verdict, result.fault = REFUSED, str(why)
    except GaveUp as why:
        result.verdict, result.fault = GAVE_UP, str(why)
    except MemoryError:
        result.verdict, result.fault = GAVE_UP, "out of memory"
    except OSError as why:
        result.verdict, result.fault = UNREADABLE, str(why)
    finally:
        if file is not path:
            file.close()
    result.seconds = time.monotonic() - begin
    return result


def check_file(file: BinaryIO, result: Result, deadline: float, remembered: int) -> None:
    header = Header(file)
    result.game, result.level = header.spec, header.level
    result.position = f"{header.board} {SIDES[header.side]}"
    result.claims = [str(claim) for claim in header.claims]
    result.stats.update({"header bytes": header.size, "chunks": len(header.chunks)})
    for i, chunk in enumerate(header.chunks):
        result.stats["compressed bytes"] += chunk.size
        result.stats["inflated bytes"] += chunk.inflated
        proof = Proof(header, chunk, file, result.stats, deadline, remembered)
        try:
            proof.run()
        except Refused as why:
            result.line = proof.line_of_play()
            raise Refused(f"chunk {i + 1}: {why}") from None
    need(not file.read(1), "bytes are left over after the last chunk")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Checks Ludex certificates (docs/src/certificate.md).")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--stats", action="store_true", help="also print what each file is made of")
    parser.add_argument("--seconds", type=float, default=LIMIT_SECONDS, help="give up on a file after this time")
    parser.add_argument(
        "--remembered",
        type=int,
        default=LIMIT_REMEMBERED,
        help="give up if a chunk remembers more positions (200 bytes each)",
    )
    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    verdicts = set()
    for path in options.files:
        result = check(path, options.seconds, options.remembered)
        verdicts.add(result.verdict)
        print(result, flush=True)
        if options.stats:
            for name, count in sorted(result.stats.items()):
                print(f"  {name:<20}{count:>12}")
            print(f"  {'seconds':<20}{result.seconds:>12.2f}")
    if REFUSED in verdicts:
        return 3
    return 0 if verdicts == {VALID} else 2


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(2)
