"""Tests of tools/check.py: python3 -m unittest discover -s tools

The truth is found by brute force over rules that are written here a second time, as plainly as possible, wherever
check.py uses bit boards. Certificates are written by a small writer that follows the pseudo-code of
docs/src/certificate.md from the other side: where the checker reads a token, it emits one.

LUDEX may name a `ludex` program; otherwise target/release/ludex and target/debug/ludex are looked for. If there is one
that can check certificates, it must agree with check.py about every file of proofs/ and about mutated ones.
LUDEX_MUTATIONS is the number of mutations per certificate (20 unless told).
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest
import zlib
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import check
from check import DRAW, FIRST, SECOND, SIDES, UNLIMITED, Claim, Refused

ROOT = Path(__file__).resolve().parent.parent
MUTATIONS = int(os.environ.get("LUDEX_MUTATIONS", "20"))


def game_of(spec: str, sheet: str = "") -> check.Game:
    name, colon, parameters = spec.partition(":")
    if name == "positional":
        return check.Positional(sheet.split("\n"))
    return check.GAMES[name](parameters if colon else None)


def sheet_spec(sheet: str) -> str:
    return "positional:sha256=" + hashlib.sha256(sheet.encode()).hexdigest()


# ---------------------------------------------------------------------------------------------------------------------
# The rules again: positions as lists of rows, the top row first
# ---------------------------------------------------------------------------------------------------------------------


def runs(rows, length):
    """All runs of cells of a length, as lists of (row, column)."""
    height, width = len(rows), len(rows[0])
    for r in range(height):
        for c in range(width):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(r + i * dr, c + i * dc) for i in range(length)]
                if all(0 <= a < height and 0 <= b < width for a, b in cells):
                    yield cells


def put(rows, r, c, symbol):
    return rows[:r] + [rows[r][:c] + symbol + rows[r][c + 1 :]] + rows[r + 1 :]


class PlainLines:
    """connect4 and mnk."""

    def __init__(self, symbols="xo", length=4, gravity=False, rule="strong"):
        self.symbols, self.length, self.gravity, self.rule = symbols, length, gravity, rule

    def has_line(self, rows, side):
        return any(all(rows[r][c] == self.symbols[side] for r, c in run) for run in runs(rows, self.length))

    def result(self, rows, side):
        if self.rule == "weak":
            if self.has_line(rows, FIRST):
                return FIRST
            stopped = all(any(rows[r][c] == "o" for r, c in run) for run in runs(rows, self.length))
            return SECOND if stopped else None
        for s in (1 - side, side):
            if self.has_line(rows, s):
                return s if self.rule == "strong" else 1 - s
        return None if any("." in row for row in rows) else DRAW

    def children(self, rows, side):
        if self.gravity:
            for c in range(len(rows[0])):
                free = [r for r in range(len(rows)) if rows[r][c] == "."]
                if free:
                    yield put(rows, free[-1], c, self.symbols[side])
        else:
            for r in reversed(range(len(rows))):
                for c in range(len(rows[0])):
                    if rows[r][c] == ".":
                        yield put(rows, r, c, self.symbols[side])


class PlainHex:
    """hex and nex."""

    def __init__(self, nex=False, official=False, swap=False):
        self.nex, self.official, self.swap = nex, official, swap

    def connected(self, rows, side):
        height, width = len(rows), len(rows[0])
        own = {(r, c) for r in range(height) for c in range(width) if rows[r][c] == "BW"[side]}
        todo = [cell for cell in own if cell[side] == 0]
        seen = set(todo)
        while todo:
            r, c = todo.pop()
            if (r, c)[side] == (height, width)[side] - 1:
                return True
            for cell in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1), (r - 1, c + 1), (r + 1, c - 1)):
                if cell in own and cell not in seen:
                    seen.add(cell)
                    todo.append(cell)
        return False

    def result(self, rows, side):
        for s in (1 - side, side):
            if self.connected(rows, s):
                return s
        return DRAW if self.nex and not list(self.children(rows, side)) else None

    def children(self, rows, side):
        own = "BW"[side]
        cells = [(r, c) for r in range(len(rows)) for c in range(len(rows[0]))]
        empty, neutral, mine = ([(r, c) for r, c in cells if rows[r][c] == symbol] for symbol in (".", "?", own))
        found = []
        if not self.nex:
            return iter([put(rows, *a, own) for a in empty])
        found += [put(put(rows, *a, own), *b, "?") for a in empty for b in empty if a != b]
        for a in neutral:
            for b in neutral:
                if b > a:
                    found += [put(put(put(rows, *a, own), *b, own), *c, "?") for c in mine]
        if self.official and not found:
            found = [put(rows, *a, own) for a in empty or neutral]
        text = "".join(rows)
        if self.swap and side == SECOND and (text.count("B"), text.count("W"), text.count("?")) == (1, 0, 1):
            exchange = str.maketrans("BW", "WB")
            found.append(["".join(row[r] for row in rows).translate(exchange) for r in range(len(rows))])
        return iter(found)


PLAIN = [
    ("connect4:4x4", "..../..../..../....", PlainLines(gravity=True)),
    ("connect4:5x4", "...../...../...../.....", PlainLines(gravity=True)),
    ("connect4:4x5", "..../..../..../..../....", PlainLines(gravity=True)),
    ("mnk:3,3,3", ".../.../...", PlainLines(length=3)),
    ("mnk:4,3,3", "..../..../....", PlainLines(length=3)),
    ("mnk:4,3,3,rule=weak", "..../..../....", PlainLines(length=3, rule="weak")),
    ("mnk:3,3,2,rule=misere", ".../.../...", PlainLines(length=2, rule="misere")),
    ("mnk:2,2,1", "../..", PlainLines(length=1)),
    ("mnk:2,3,4", "../../..", PlainLines(length=4)),
    ("hex:3x3", ".../.../...", PlainHex()),
    ("hex:2x4", "..../....", PlainHex()),
    ("nex:3x3", ".../.../...", PlainHex(nex=True)),
    ("nex:2x4", "..../....", PlainHex(nex=True)),
    ("nex:3x3,rules=official,swap=on", ".../.../...", PlainHex(nex=True, official=True, swap=True)),
    ("nex:3x4,rules=official", "..../..../....", PlainHex(nex=True, official=True)),
]

SHEET = """#version
1
#blackinitials
#times
t1 t2 t3 t4 t5  % as many as cells
#blackturns t1 t3 t5
#positions
a b c d e
#blackwins
a b
b c
c d e
a e
"""
SHEET_BOTH = SHEET + "#whitewins\na c\nb d e\n"
SHEET_TWICE = """#times t1 t2 t3 t4
#blackturns t1 t4
#positions a b c d e f g
#blackinitials g
#blackwins
a b g
c d
#firstmoves a c
"""

STARTS = [(spec, board, "") for spec, board, _ in PLAIN] + [
    ("heap:9", "9", ""),
    ("seven:4", "..../..../..../....", ""),
    ("seven:5,edges=harness", "...../B..M./..MB./..B..", ""),
    ("domineering:3x3", ".../.../...", ""),
    ("collapsi:3x3", "Jx2A/32A/A2Jo", ""),
    ("collapsi:joker=wild", "X2.A/.3../A..2/.O.A", ""),
    (sheet_spec(SHEET), ".....", SHEET),
    (sheet_spec(SHEET_BOTH), ".....", SHEET_BOTH),
    (sheet_spec(SHEET_TWICE), "......B", SHEET_TWICE),
]


def random_play(game, p, rng):
    """The positions of a random play from p, the finished one included."""
    yield p
    while game.result(p) is None:
        p = game.play(p, rng.choice(game.moves(p)))
        yield p


class Games(unittest.TestCase):
    def test_moves_results_and_order_against_the_rules_written_again(self):
        rng = random.Random(1)
        for spec, board, plain in PLAIN:
            game = game_of(spec)
            with self.subTest(spec):
                for _ in range(15):
                    rows, side = board.split("/"), FIRST
                    while True:
                        p = game.position("/".join(rows), side)
                        self.assertEqual(game.result(p), plain.result(rows, side), rows)
                        if game.result(p) is not None:
                            break
                        children = list(plain.children(rows, side))
                        expected = [game.position("/".join(child), 1 - side) for child in children]
                        self.assertEqual([game.play(p, m) for m in game.moves(p)], expected)
                        rows, side = rng.choice(children), 1 - side

    def test_results_at_once_against_playing_every_move(self):
        rng = random.Random(2)
        seen = set()
        for spec, board, sheet in STARTS + [("mnk:3,3,3,rule=misere", ".../.../...", "")]:
            game = game_of(spec, sheet)
            for _ in range(40):
                for p in random_play(game, game.position(board, FIRST), rng):
                    if game.result(p) is None:
                        found = game.results_at_once(p)
                        self.assertEqual(found, check.Game.results_at_once(game, p), (spec, p))
                        seen |= {(type(game), result) for result in found}
        for wanted in [(check.Nex, DRAW), (check.Nex, FIRST), (check.Mnk, DRAW), (check.Positional, DRAW)]:
            self.assertIn(wanted, seen)

    def test_symmetries_keep_the_value_of_canonical_and_differ_otherwise(self):
        game = game_of("connect4:5x4")
        a = game.position("...../...../x..../oxo..", FIRST)
        b = game.position("...../...../....x/..oxo", FIRST)
        self.assertEqual(game.canonical(a), game.canonical(b))
        self.assertNotEqual(game.canonical(a), game.canonical(game.position("...../...../x..../oxo..", SECOND)))
        self.assertNotEqual(game.canonical(a), game.canonical(game.position("...../...../x..../oox..", FIRST)))
        game = game_of("mnk:3,3,3")
        images = [
            "x.o/.../...",
            "o.x/.../...",
            ".../.../x.o",
            ".../.../o.x",
            "x../.../o..",
            "o../.../x..",
            "..x/.../..o",
            "..o/.../..x",
        ]
        self.assertEqual(len({game.canonical(game.position(board, FIRST)) for board in images}), 1)
        self.assertEqual(len(game_of("mnk:4,3,3").images), 3)
        # The short lines at the ends of seven are the same from right to left, but not upside down.
        self.assertEqual(len(game_of("seven:8").images), 1)
        self.assertEqual(len(game_of("seven:5,edges=harness").images), 3)
        self.assertEqual(len(game_of("seven:8,edges=harness").images), 1)
        game = game_of("hex:2x3")
        self.assertEqual(
            game.canonical(game.position("B../.W.", FIRST)), game.canonical(game.position(".W./..B", FIRST))
        )
        self.assertNotEqual(
            game.canonical(game.position("B../.W.", FIRST)), game.canonical(game.position("..B/.W.", FIRST))
        )

    def test_seven_lines(self):
        # N = 8: 8 columns, 10 diagonals, 4 rows with two ends of four (and no middle), six short ones.
        self.assertEqual(len(game_of("seven:8").lines[FIRST]), 8 + 10 + 8 + 6)
        self.assertEqual(len(game_of("seven:9").lines[FIRST]), 9 + 12 + 12 + 6)
        # N = 8 with harness: in each row 0..3, 0..4, 0..5 and two of seven; no right end, since 8 - 4 < 7.
        self.assertEqual(len(game_of("seven:8,edges=harness").lines[FIRST]), 8 + 10 + 4 * 5)

    def test_values_that_are_known(self):
        for spec, board, claims in [
            ("mnk:3,3,3", ".../.../...", {"first draw", "second draw"}),
            ("mnk:4,3,3", "..../..../....", {"first win", "first draw"}),
            ("connect4:4x4", "..../..../..../....", {"first draw", "second draw"}),
            ("hex:3x3", ".../.../...", {"first win", "first draw"}),
            ("heap:8", "8", {"second win", "second draw"}),
            ("seven:4", "..../..../..../....", {"first win", "first draw"}),
            ("domineering:3x3", ".../.../...", {"first win", "first draw"}),
        ]:
            game = game_of(spec)
            truth = Truth(game)
            root = game.position(board, FIRST)
            held = {
                f"{side} {outcome}"
                for side in SIDES
                for outcome in ("win", "draw")
                if truth.holds(root, Claim(SIDES.index(side), outcome, UNLIMITED))
            }
            self.assertEqual(held, claims, spec)


# ---------------------------------------------------------------------------------------------------------------------
# The truth, by brute force
# ---------------------------------------------------------------------------------------------------------------------


class Truth:
    def __init__(self, game):
        self.game = game
        self.known = {}

    def can(self, p, side, outcome, w) -> bool:
        """Whether a side can force an outcome within w moves."""
        game = self.game
        result = game.result(p)
        if result is not None:
            return result == side or outcome == "draw" and result == DRAW
        if w == 0:
            return False
        key = (game.canonical(p), side, outcome, w)
        if key not in self.known:
            some = any if game.to_move(p) == side else all
            self.known[key] = some(self.can(game.play(p, m), side, outcome, w - 1) for m in game.moves(p))
        return self.known[key]

    def holds(self, p, claim: Claim) -> bool:
        return self.can(p, claim.side, claim.outcome, claim.within)

    def distance(self, p, side) -> float:
        """The least number of moves within which the side can force a win; infinite if it cannot."""
        if not self.can(p, side, "win", UNLIMITED):
            return math.inf
        return next(w for w in range(1000) if self.can(p, side, "win", w))


# ---------------------------------------------------------------------------------------------------------------------
# A writer
# ---------------------------------------------------------------------------------------------------------------------


def leb128(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def text_of(game, p):
    """The text of a position. (check.py reads positions but never writes them.)"""
    if isinstance(game, check.ConnectFour):
        cell = lambda r, c: ".xo"[(p[0] >> c * game.stride + r & 1) + 2 * (p[1] >> c * game.stride + r & 1)]
        return "/".join("".join(cell(r, c) for c in range(game.width)) for r in reversed(range(game.height)))
    if isinstance(game, check.Mnk):
        cell = lambda i: ".xo"[(p[0] >> i & 1) + 2 * (p[1] >> i & 1)]
        return "/".join(
            "".join(cell(y * game.width + x) for x in range(game.width)) for y in reversed(range(game.height))
        )
    if isinstance(game, check.Hex):
        symbol = lambda bit: next((s for s, cells in zip(game.symbols, p) if cells >> bit & 1), ".")
        return "/".join("".join(symbol(r * game.stride + c) for c in range(game.columns)) for r in range(game.rows))
    if isinstance(game, check.Heap):
        return str(p[0])
    raise NotImplementedError


class Writer:
    """Writes one chunk: the proving move is the quickest one, rules are used wherever they hold."""

    def __init__(self, game, claim, implied=("win", "forced", "repeat"), here=(), after=("play",)):
        self.game, self.claim, self.implied = game, claim, implied
        self.here_words, self.after_words = list(here), list(after)
        self.here = [game.rule("here", word) for word in here]
        self.after = [None if word == "play" else game.rule("after", word) for word in after]
        self.truth = Truth(game)
        self.roots = set()  # the positions, as canonical() has them, that have chunks of their own
        self.used = set()

    def chunk(self, root, w):
        self.tokens, self.known, self.depth = [], {}, 0
        self.prove(root, w)
        return self.tokens

    def try_rule(self, rule, word, p, w):
        """The hints with which a rule holds and the replies it leaves open, or None."""
        name = word.partition("=")[0]
        options = {
            "stop": self.stop_hints,
            "guard": self.guard_hints,
            "threats": self.threat_hints,
            "zone": self.zone_hints,
        }
        for hints in options.get(name, lambda p: [[]])(p):
            feed = iter(hints)
            try:
                replies = rule(p, w, self.claim, lambda: next(feed))
            except Refused:
                continue
            self.used.add(name)
            return hints, replies or []
        return None

    def stop_hints(self, p):
        yield [0]
        empty = list(check.bits(self.game.empty(p)))
        for line in self.game.lines[1 - self.claim.side]:
            rest = [c for c in empty if line >> c & 1]
            if len(rest) == 2:
                yield [1] + rest

    def guard_hints(self, p):
        lists = list(self.stop_hints(p))
        yield from ([1] + hints for hints in lists)
        if len(lists) > 1:
            yield [2] + lists[0] + lists[-1]

    def threat_hints(self, p, deep=3):
        """All threat sequences up to a length, shortest first; wrong ones are among them."""
        empty = list(check.bits(self.game.empty(p)))
        yield from ([1, a] for a in empty)
        yield from ([2, a, b] for a in empty for b in empty if a != b)

    def zone_hints(self, p):
        good = []
        for hints in self.threat_hints(p):
            feed = iter(hints)
            try:
                self.game.threat_sequence(p, UNLIMITED, self.claim, lambda: next(feed))
            except Refused:
                continue
            good.append(hints)
        for hints in good:
            yield [1] + hints
        if len(good) > 1:
            yield [len(good[:5])] + sum(good[:5], [])

    def prove(self, p, w):
        game = self.game
        if game.result(p) is not None:
            return
        if game.to_move(p) == self.claim.side:
            return self.claimant(p, w)
        k, rest = self.choose_after(p, w)
        self.tokens.append(k)
        self.opponent(p, w, k, rest)

    def choose_after(self, p, w):
        for k, rule in enumerate(self.after):
            if rule is not None:
                found = self.try_rule(rule, self.after_words[k], p, w)
                if found and all(
                    self.truth.holds(game_play, Claim(self.claim.side, self.claim.outcome, w - 1))
                    for game_play in (self.game.play(p, m) for m in found[1])
                ):
                    return k, found
        return self.after_words.index("play"), None

    def opponent(self, p, w, k, rest):
        hints, replies = rest or ([], self.game.moves(p))
        self.tokens += hints
        for m in replies:
            self.depth += 1
            self.prove(self.game.play(p, m), w - 1)
            self.depth -= 1

    def claimant(self, p, w):
        game, good = self.game, self.claim.good
        if "win" in self.implied and game.results_at_once(p) & good:
            return
        key = game.canonical(p)
        if "repeat" in self.implied:
            if self.known.get(key, math.inf) <= w and key in self.known or self.depth and key in self.roots:
                return
        candidates = [m for m in game.moves(p) if "forced" not in self.implied or not self.refuted(game.play(p, m))]
        leaf = "leaf" in self.implied
        if leaf and w >= 2 and any(self.is_leaf(game.play(p, m), w - 1) for m in candidates):
            return
        only = "only" in self.implied and len(candidates) == 1
        for t, rule in enumerate(() if only else self.here):
            found = self.try_rule(rule, self.here_words[t], p, w)
            if found:
                self.tokens += [t] + found[0]
                self.known[key] = w
                return
        rest = Claim(self.claim.side, self.claim.outcome, w - 1)
        move = next(m for m in candidates if self.truth.holds(game.play(p, m), rest))
        q = game.play(p, move)
        k, rest = self.after_words.index("play"), None
        ended, again = game.result(q) is not None, game.to_move(q) == self.claim.side
        if not ended and not again and not only:
            k, rest = self.choose_after(q, w - 1)
        if not only:
            number = candidates.index(move)
            self.tokens.append(len(self.here) + (number if leaf else number * len(self.after) + k))
        self.depth += 1
        if not ended:
            self.claimant(q, w - 1) if again else self.opponent(q, w - 1, k, rest)
        self.depth -= 1
        self.known[key] = w

    def is_leaf(self, q, w):
        rules = [(rule, word) for rule, word in zip(self.after, self.after_words) if word != "play"]
        return self.game.result(q) is None and any(self.try_rule(rule, word, q, w) for rule, word in rules)

    def refuted(self, q):
        result = self.game.result(q)
        if result is not None:
            return result not in self.claim.good
        return self.game.to_move(q) != self.claim.side and bool(self.game.results_at_once(q) - self.claim.good)


class File:
    """A certificate in parts, so that tests can change one of them and the digests still fit."""

    def __init__(self, spec, board, side, claims, implied, here, after, sheet="", level="strategy"):
        self.spec, self.board, self.side, self.claims, self.sheet, self.level = (
            spec,
            board,
            side,
            list(claims),
            sheet,
            level,
        )
        self.implied, self.here, self.after = list(implied), list(here), list(after)
        self.chunks = []  # [claim, within, board, side, tokens or bytes, remembered]

    def header_lines(self):
        words = lambda items: " ".join(items) or "nothing"
        lines = ["ludex certificate 1", f"game {self.spec}"]
        if self.sheet:
            text = self.sheet.removesuffix("\n").split("\n")
            lines += [f"sheet {len(text)}"] + text
        lines.append(f"position {self.board} {self.side}")
        lines += [f"claim {i + 1} {claim}" for i, claim in enumerate(self.claims)]
        lines += [
            f"level {self.level}",
            "tables none",
            f"implied {words(self.implied)}",
            f"here {words(self.here)}",
            f"after {words(self.after)}",
        ]
        return lines

    def bytes(self, change_lines=None):
        lines, bodies = self.header_lines(), []
        for i, (claim, within, board, side, tokens, remembered) in enumerate(self.chunks):
            raw = tokens if isinstance(tokens, bytes) else b"".join(map(leb128, tokens))
            body = zlib.compress(raw, 9)
            bodies.append(body)
            lines.append(
                f"chunk {i + 1} claim {claim} within {within} bytes {len(body)} inflated {len(raw)} remembered {remembered} "
                f"sha256 {hashlib.sha256(raw).hexdigest()} position {board} {side}"
            )
        if change_lines:
            lines = change_lines(lines)
        text = "".join(line + "\n" for line in lines).encode()
        return text + f"digest sha256 {hashlib.sha256(text).hexdigest()}\n\n".encode() + b"".join(bodies)


def certificate(
    spec,
    board,
    side,
    claims,
    implied=("win", "forced", "repeat"),
    here=(),
    after=("play",),
    sheet="",
    split=(),
    level="strategy",
):
    """Writes a certificate of true claims. `forced` is left out where the game does not allow it. `split` are further positions (texts, claimant to move) with chunks of their own."""
    game = game_of(spec, sheet)
    if not isinstance(game, check.LineGame):
        implied = tuple(word for word in implied if word != "forced")
    file = File(spec, board, SIDES[side], claims, implied, here, after, sheet, level)
    file.used = set()
    for c, text in enumerate(claims):
        words = text.split(" ")
        claim = Claim(SIDES.index(words[0]), words[1], int(words[3]) if len(words) > 2 else UNLIMITED)
        unlimited = Claim(claim.side, claim.outcome, UNLIMITED)
        roots = [game.position(b, claim.side) for b in split if claim.within == UNLIMITED]
        writer = Writer(game, claim, implied, here, after)
        writer.roots = {game.canonical(root) for root in roots if writer.truth.holds(root, unlimited)}
        for b, s in [(board, side)] + [(b, claim.side) for b in split]:
            root = game.position(b, s)
            if b in split and game.canonical(root) not in writer.roots:
                continue
            w = claim.within if (b, s) == (board, side) else UNLIMITED
            tokens = writer.chunk(root, w)
            file.chunks.append([c + 1, "any" if w == UNLIMITED else w, b, SIDES[s], tokens, len(writer.known)])
        file.used |= writer.used
    return file


def checked(data: bytes, **limits) -> check.Result:
    return check.check(io.BytesIO(data), **limits)


def empty_board(rows, columns):
    return "/".join(["." * columns] * rows)


LINES = dict(here=("dead", "stop", "threats"), after=("dead", "stop", "play"))
WEAK = dict(here=("stop", "threats"), after=("stop", "zone", "play"))
BOTH = dict(here=("dead", "stop"), after=("play", "stop", "dead"))
STEAL = dict(here=("steal", "stop"), level="position")
FOUR = dict(
    here=("dead",),
    after=("play", "dead", "follow", "even")
    + tuple(f"odd={c}" for c in range(1, 5))
    + tuple(f"promised={r}" for r in range(1, 5)),
)
ALL = ("win", "forced", "repeat")
MORE = ("win", "forced", "repeat", "leaf", "only")

# (game, position, side to move, what is implied, rules, sheet); what is claimed is found out by brute force
SAMPLES = [
    ("mnk:3,3,3", ".../.../...", FIRST, (), {}, ""),
    ("mnk:3,3,3", ".../.../...", FIRST, ALL, LINES, ""),
    ("mnk:3,3,3", ".../.../...", FIRST, ALL, STEAL, ""),
    ("mnk:4,3,3", "..../..../....", FIRST, ALL, LINES, ""),
    ("mnk:4,3,3", "o.../..x./....", SECOND, ("win",), LINES, ""),
    ("mnk:3,3,3", "xox/.o./.x.", SECOND, ("repeat",), LINES, ""),
    ("mnk:3,3,3,rule=weak", ".../.../...", FIRST, ALL, WEAK, ""),
    ("mnk:3,3,3,rule=weak", "..o/.x./...", FIRST, ("win",), WEAK, ""),
    ("mnk:3,3,3,rule=weak", "x.o/.o./..x", FIRST, (), WEAK, ""),
    ("mnk:3,3,3,rule=weak", "x../.o./...", SECOND, ("forced",), WEAK, ""),
    ("mnk:2,2,2", "../..", FIRST, ALL, {}, ""),
    ("mnk:3,3,3,rule=misere", ".../.../...", FIRST, ALL, {}, ""),
    ("connect4:4x4", "..../..../..../....", FIRST, ALL, FOUR, ""),
    ("connect4:5x4", "...../...../...o./.xxo.", FIRST, ALL, FOUR, ""),
    ("connect4:5x4", "...../.x.../.x..x/ox.oo", SECOND, ALL, FOUR, ""),
    ("connect4:4x5", "..../..../.ox./.xxo/oxxo", SECOND, (), FOUR, ""),
    ("connect4:4x5", "..../..../..x./oxxo/ooxx", SECOND, ("win",), FOUR, ""),
    ("connect4:4x4", "..../..../..../....", FIRST, MORE, FOUR, ""),
    ("connect4:5x4", "...../...../...o./.xxo.", FIRST, MORE, FOUR, ""),
    ("connect4:5x4", "...../.x.../.x..x/ox.oo", SECOND, ("win", "leaf"), FOUR, ""),
    ("mnk:4,3,3", "..../..../....", FIRST, ALL + ("only",), LINES, ""),
    ("heap:9", "9", FIRST, ALL, {}, ""),
    ("heap:20", "18", FIRST, ALL, dict(split=("14", "10", "6")), ""),
    ("hex:3x3", ".../.../...", FIRST, ALL, dict(split=("WB./.../...", "W../.B./...")), ""),
    ("mnk:3,3,3", "x../.../...", SECOND, ALL, dict(split=("x../.o./..x", "x.x/.o./...")), ""),
    ("heap:9", "8", FIRST, (), {}, ""),
    ("hex:2x2", "../..", FIRST, ALL, {}, ""),
    ("hex:3x3", ".../.../...", FIRST, ("forced", "repeat"), {}, ""),
    ("nex:2x2", "../..", FIRST, ALL, {}, ""),
    ("nex:2x3", ".../...", FIRST, ALL, {}, ""),
    ("nex:2x2,rules=official,swap=on", "../..", FIRST, ALL, {}, ""),
    ("seven:4", "..../..../..../....", FIRST, ALL, WEAK, ""),
    ("seven:4", "BM../MB../..../...B", FIRST, ALL, WEAK, ""),
    ("domineering:3x3", ".../.../...", SECOND, ALL, {}, ""),
    ("collapsi:3x3", "Jx2A/32A/A2Jo", FIRST, ALL, {}, ""),
    ("collapsi:joker=wild", "X2.A/.3../A..2/.O.A", SECOND, ("win",), {}, ""),
    (sheet_spec(SHEET), ".....", FIRST, ALL, WEAK, SHEET),
    (sheet_spec(SHEET), "B..W.", FIRST, (), WEAK, SHEET),
    (sheet_spec(SHEET_BOTH), ".....", FIRST, ALL, BOTH, SHEET_BOTH),
    (sheet_spec(SHEET_TWICE), "......B", FIRST, ALL, {}, SHEET_TWICE),
]


@cache
def samples():
    return [
        certificate(spec, board, side, best_claims(spec, board, side, sheet), implied=implied, sheet=sheet, **rules)
        for spec, board, side, implied, rules, sheet in SAMPLES
    ]


def best_claims(spec, board, side, sheet=""):
    """What is true and most: a win of a side, with its distance, or a draw for both."""
    game = game_of(spec, sheet)
    truth, root = Truth(game), game.position(board, side)
    for s in (FIRST, SECOND):
        distance = truth.distance(root, s)
        if distance < math.inf:
            return [f"{SIDES[s]} win within {distance}", f"{SIDES[s]} win", f"{SIDES[s]} draw"]
    return ["first draw", "second draw"]


# ---------------------------------------------------------------------------------------------------------------------
# The theorems: whatever a rule accepts is true
# ---------------------------------------------------------------------------------------------------------------------


def random_board(game, rng, most_empty):
    """A random position that need not be reachable, not over, with few empty cells."""
    while True:
        if isinstance(game, check.ConnectFour):
            columns = [rng.choices("xo", k=rng.randint(0, game.height)) for _ in range(game.width)]
            rows = [
                "".join(column[r] if r < len(column) else "." for column in columns)
                for r in reversed(range(game.height))
            ]
            p = game.position("/".join(rows), rng.choice((FIRST, SECOND)))
        else:
            stones = rng.choices(".xo", weights=(3, 2, 2), k=game.cells)
            first, second = check.masks(stones, "xo")
            p = first, second, rng.choice((FIRST, SECOND))
        if game.empty(p).bit_count() <= most_empty and game.result(p) is None:
            return p


def random_sheet(rng) -> str:
    """A small game: often plain, sometimes with sets for White, stones at the start, first moves, fewer or other turns."""
    cells = "abcdefg"[: rng.randint(4, 7)]
    stones = rng.choice((0, 0, 0, 1))
    plies = len(cells) - stones - rng.choice((0, 0, 0, 1))
    plain_turns = range(rng.randint(0, 1), plies, 2)
    turns = rng.choice((plain_turns, plain_turns, [ply for ply in range(plies) if rng.random() < 0.5]))

    def sets():
        return "".join(" ".join(rng.sample(cells, rng.randint(2, 3))) + "\n" for _ in range(rng.randint(2, 5)))

    text = f"#times {' '.join(map(str, range(plies)))}\n#blackturns {' '.join(map(str, turns))}\n"
    text += f"#positions {' '.join(cells)}\n#blackwins\n{sets()}"
    text += f"#whitewins\n{sets()}" if rng.random() < 0.4 else ""
    text += f"#{rng.choice(('black', 'white'))}initials {cells[0]}\n" if stones else ""
    return text + (f"#firstmoves {cells[1]} {cells[3]}\n" if rng.random() < 0.1 else "")


def start_of(game: check.Positional) -> str:
    return "".join(
        "B" if game.initial[0] >> c & 1 else "W" if game.initial[1] >> c & 1 else "." for c in range(game.cells)
    )


def accepts(rule, p, w, claim, hints=()):
    """Whether a rule accepts, and the replies that it leaves open."""
    feed = iter(hints)
    try:
        return True, rule(p, w, claim, lambda: next(feed)) or []
    except Refused:
        return False, []


class Theorems(unittest.TestCase):
    rounds = int(os.environ.get("LUDEX_POSITIONS", "400"))

    def test_connect_four(self):
        rng = random.Random(3)
        accepted = dict.fromkeys(("dead", "follow", "even", "odd", "promised"), 0)
        for spec, most_empty in [
            ("connect4:4x4", 11),
            ("connect4:5x4", 11),
            ("connect4:4x5", 11),
            ("connect4:5x5", 10),
            ("connect4:6x4", 10),
        ]:
            game = game_of(spec)
            truth = Truth(game)
            words = (
                ["dead", "follow", "even"]
                + [f"odd={c + 1}" for c in range(game.width)]
                + [f"promised={r + 1}" for r in range(game.height)]
            )
            for _ in range(4 * self.rounds):
                p = random_board(game, rng, most_empty)
                side = 1 - p[2]
                for word in words:
                    name, rule = word.partition("=")[0], game.rule("after", word)
                    outcome = "draw" if name in ("dead", "follow") else "win"
                    claim = Claim(side, outcome, UNLIMITED)
                    if not accepts(rule, p, UNLIMITED, claim)[0]:
                        continue
                    accepted[name] += 1
                    w = UNLIMITED
                    if outcome == "win":
                        w = next(w for w in range(50) if accepts(rule, p, w, claim)[0])
                    self.assertTrue(truth.can(p, side, outcome, w), (spec, word, text_of(game, p), SIDES[p[2]], w))
        self.assertGreater(min(accepted.values()), self.rounds // 50, accepted)

    def test_dead_and_stop(self):
        rng = random.Random(4)
        accepted = {}
        for spec in ("mnk:3,3,3", "mnk:4,3,3", "mnk:4,3,4", "mnk:3,3,2", "mnk:4,3,3,rule=weak", "mnk:3,3,3,rule=weak"):
            game = game_of(spec)
            truth = Truth(game)
            for _ in range(self.rounds):
                p = random_board(game, rng, 9)
                cells = list(check.bits(game.empty(p)))
                for name in ("dead", "stop", "guard"):
                    place = rng.choice(("here", "after"))
                    side = p[2] if place == "here" else 1 - p[2]
                    outcome = "win" if game.rules == "weak" else "draw"
                    if name not in getattr(game, place):
                        continue
                    rng.shuffle(cells)
                    pairs = rng.randint(0, len(cells) // 2)
                    hints = [pairs] + cells[: 2 * pairs] if name == "stop" else []
                    if name == "guard":
                        few = rng.randint(0, len(cells) // 2)
                        hints = [2, pairs] + cells[: 2 * pairs] + [few] + sorted(cells)[: 2 * few]
                    claim = Claim(side, outcome, UNLIMITED)
                    ok, left = accepts(game.rule(place, name), p, UNLIMITED, claim, hints)
                    if ok and name == "guard":
                        covered = set(game.moves(p)) - set(left)
                        accepted[name, place, bool(left)] = accepted.get((name, place, bool(left)), 0) + len(covered)
                        for m in covered:
                            self.assertTrue(truth.holds(game.play(p, m), claim), (spec, text_of(game, p), hints, m))
                    elif ok:
                        accepted[name, place, pairs > 0] = accepted.get((name, place, pairs > 0), 0) + 1
                        self.assertTrue(
                            truth.holds(p, claim), (spec, name, place, text_of(game, p), SIDES[p[2]], hints)
                        )
        for place in ("here", "after"):
            for key in (("dead", place, True), ("stop", place, True), ("stop", place, False)):
                self.assertGreater(accepted.get(key, 0), 10, accepted)
        self.assertGreater(accepted["guard", "after", True], 100, accepted)

    def test_random_sheets(self):
        """All rules on lines in games from files, where the two sides may have different lines."""
        rng = random.Random(9)
        accepted = {}
        for _ in range(self.rounds // 4):
            game = check.Positional(random_sheet(rng).split("\n"))
            truth = Truth(game)
            for p in random_play(game, game.position(start_of(game), game.turn[0]), rng):
                if game.result(p) is not None:
                    break
                self.assertEqual(game.results_at_once(p), check.Game.results_at_once(game, p))
                for side, outcome in ((FIRST, "win"), (FIRST, "draw"), (SECOND, "win"), (SECOND, "draw")):
                    claim = Claim(side, outcome, UNLIMITED)
                    writer = Writer(game, claim)
                    place = "here" if p[2] == side else "after"
                    for name in getattr(game, place):
                        found = writer.try_rule(game.rule(place, name), name, p, UNLIMITED)
                        if not found:
                            continue
                        accepted[name] = accepted.get(name, 0) + 1
                        if name in ("zone", "guard"):
                            for m in set(game.moves(p)) - set(found[1]):
                                self.assertTrue(truth.holds(game.play(p, m), claim), (game.lines, p, found, m))
                        else:
                            self.assertTrue(truth.holds(p, claim), (game.lines, game.turn, p, name, found))
        self.assertEqual(set(accepted), {"dead", "stop", "guard", "threats", "zone"})
        self.assertGreater(min(accepted.values()), 5, accepted)

    def test_threats_and_zone(self):
        rng = random.Random(5)
        accepted = {}
        for spec in ("mnk:3,3,3", "mnk:4,3,3", "mnk:4,4,3", "mnk:4,3,3,rule=weak", "mnk:3,3,3,rule=weak", "seven:4"):
            game = game_of(spec)
            truth = Truth(game)
            strong = spec.startswith("mnk") and game.rules == "strong"
            for _ in range(self.rounds if strong else self.rounds // 2):
                p = random_board(game, rng, 8)
                claim = Claim(rng.choice((FIRST, SECOND)) if strong else FIRST, "win", UNLIMITED)
                writer = Writer(game, claim)
                here = claim.side == p[2]
                name = "threats" if here else "zone"
                rule = game.rule("here" if here else "after", name)
                for hints in writer.threat_hints(p) if here else writer.zone_hints(p):
                    if accepts(rule, p, UNLIMITED, claim, hints)[0]:
                        key = (name, strong, hints[0] > 1)
                        accepted[key] = accepted.get(key, 0) + 1
                        w = next(w for w in range(50) if accepts(rule, p, w, claim, hints)[0])
                        left = accepts(rule, p, w, claim, hints)[1]
                        if here:
                            self.assertTrue(truth.can(p, claim.side, "win", w), (spec, p, hints))
                        else:
                            for m in set(game.moves(p)) - set(left):
                                self.assertTrue(truth.can(game.play(p, m), claim.side, "win", w - 1), (spec, p, hints, m))
        for key in [
            ("threats", True, False),
            ("threats", True, True),
            ("threats", False, True),
            ("zone", False, False),
            ("zone", False, True),
            ("zone", True, False),
            ("zone", True, True),
        ]:
            self.assertGreater(accepted.get(key, 0), 10, accepted)


# ---------------------------------------------------------------------------------------------------------------------
# Files
# ---------------------------------------------------------------------------------------------------------------------


class Files(unittest.TestCase):
    def test_every_sample_is_valid(self):
        used, references = set(), 0
        for file in samples():
            result = checked(file.bytes())
            self.assertTrue(result.valid, (file.spec, file.board, result))
            self.assertEqual(result.claims, file.claims)
            used |= file.used
            references += result.stats["references"]
        self.assertEqual({"dead", "stop", "threats", "zone", "steal", "follow", "even", "odd", "promised"}, used)
        self.assertGreater(references, 10)

    def test_stronger_claims_than_the_true_ones_are_refused(self):
        for file in samples():
            claims = file.claims
            for i, claim in enumerate(claims):
                words = claim.split(" ")
                if len(words) == 4 and words[3] != "0":
                    stronger = f"{words[0]} win within {int(words[3]) - 1}"
                elif claim.endswith("draw") and len(claims) == 2:
                    stronger = claim.replace("draw", "win")
                else:
                    continue
                file.claims = claims[:i] + [stronger] + claims[i + 1 :]
                within = [chunk[1] for chunk in file.chunks]
                for chunk in file.chunks:
                    if chunk[0] == i + 1 and "within" in stronger:
                        chunk[1] = int(words[3]) - 1
                self.assertEqual(checked(file.bytes()).verdict, check.REFUSED, (file.spec, stronger))
                file.claims = claims
                for chunk, w in zip(file.chunks, within):
                    chunk[1] = w

    def test_chunks_refer_to_each_other_but_not_in_a_circle(self):
        file = certificate("heap:9", "9", FIRST, ["first win"], implied=("repeat",), split=("5",))
        result = checked(file.bytes())
        self.assertTrue(result.valid, result)
        self.assertGreater(result.stats["references"], 0)
        # Without the second chunk's own proof nothing is proved: an empty chunk, which would need a reference to itself or to
        # a chunk with the same root.
        for root in ("5", "9"):
            lazy = certificate("heap:9", "9", FIRST, ["first win"], implied=("repeat",), split=("5",))
            lazy.chunks[1][2], lazy.chunks[1][4] = root, []
            self.assertFalse(checked(lazy.bytes()).valid)
        # Two chunks with the same root: neither may rest on the other.
        twice = File("heap:9", "9", "first", ["first win"], ["repeat"], [], ["play"])
        twice.chunks = [[1, "any", "9", "first", [], 0], [1, "any", "9", "first", [], 0]]
        self.assertFalse(checked(twice.bytes()).valid)

    def test_references_keep_their_limit(self):
        # 9 counters: first wins within 5 moves. The chunk for 5 is claimed within 3, which is true, or within 2, which is not.
        for within, verdict in ((3, check.VALID), (2, check.REFUSED), (4, check.REFUSED), ("any", check.REFUSED)):
            file = File("heap:9", "9", "first", ["first win within 5"], ["repeat"], [], ["play"])
            own = certificate("heap:9", "5", FIRST, ["first win"], implied=("repeat",)).chunks[0]
            # take 1, then second takes 1, 2 or 3: 7, 6 or 5 are left; 7 -> 4 and 6 -> 4 are won by taking 3 and 2.
            whole = certificate("heap:9", "9", FIRST, ["first win"], implied=("repeat",), split=("5",)).chunks[0]
            file.chunks = [[1, 5, "9", "first", whole[4], 99], [1, within, "5", "first", own[4], 99]]
            self.assertEqual(checked(file.bytes()).verdict, verdict, within)

    def test_a_remembered_position_with_a_looser_limit_does_not_help(self):
        game = game_of("heap:30")
        truth = Truth(game)
        for n in range(1, 30):
            for side in SIDES:
                distance = truth.distance(game.position(str(n), FIRST), SIDES.index(side))
                if distance < math.inf:
                    file = certificate("heap:30", str(n), FIRST, [f"{side} win within {distance}"])
                    self.assertTrue(checked(file.bytes()).valid)

    def test_the_faulty_line_of_play_is_told(self):
        file = certificate("mnk:3,3,3", ".../.../...", FIRST, ["first draw", "second draw"], implied=())
        file.chunks[1][4] = file.chunks[1][4][:40] + [500] + file.chunks[1][4][41:]
        result = checked(file.bytes())
        self.assertIn("chunk 2: the move is not one of the candidates", result.fault)
        game, p = game_of("mnk:3,3,3"), (0, 0, FIRST)
        for text in result.line:
            p = game.play(p, next(m for m in game.moves(p) if game.show(p, m) == text))
        self.assertEqual(p[2], SECOND)

    def test_more_positions_remembered_than_said(self):
        file = certificate("mnk:3,3,3", ".../.../...", FIRST, ["first draw"])
        self.assertTrue(checked(file.bytes()).valid)
        file.chunks[0][5] -= 1
        self.assertIn("remembered", checked(file.bytes()).fault)

    def test_steal_needs_its_level_and_the_empty_board(self):
        file = certificate("mnk:3,3,3", ".../.../...", FIRST, ["first draw"], **STEAL)
        self.assertTrue(checked(file.bytes()).valid)
        file.level = "strategy"
        self.assertFalse(checked(file.bytes()).valid)
        for board, side, claim in [
            ("x../.../...", "first", "first draw"),
            (".../.../...", "second", "first draw"),
            (".../.../...", "first", "first win"),
            (".../.../...", "second", "second draw"),
        ]:
            other = File("mnk:3,3,3", board, side, [claim], [], ["steal"], ["play"], level="position")
            other.chunks = [[1, "any", board, side, [0], 0]]
            self.assertFalse(checked(other.bytes()).valid)

    def test_header_lines_that_are_wrong(self):
        file = certificate("mnk:3,3,3", ".../.../...", FIRST, ["first draw", "second draw"], **LINES)
        good = file.header_lines()
        self.assertTrue(checked(file.bytes()).valid)
        changes = {
            "ludex certificate 1": ["ludex certificate 2", "ludex certificate 1 ", "", "ludex  certificate 1"],
            "game mnk:3,3,3": [
                "game mnk:3,3",
                "game mnk:03,3,3",
                "game mnk:3,3,3,rule=strong",
                "game mnk:0,3,3",
                "game go",
                "game mnk",
                "game mnk:3,3,+3",
                "game mnk:16,15,3",
                "game mnk:3,3,3 ",
                "game  mnk:3,3,3",
                "game mnk:3,3,\u0663",
                "game positional:sha256=" + "0" * 64,
            ],
            "position .../.../... first": [
                "position .../.../... third",
                "position .../... first",
                "position .../.../..X first",
                "position .../.../...",
                "position  .../.../... first",
            ],
            "claim 1 first draw": [
                "claim 2 first draw",
                "claim 1 first draw within 9",
                "claim 1 first loss",
                "claim 01 first draw",
                "claim 1 first win within",
                "claim 1 first  draw",
            ],
            "level strategy": ["level", "level position", "level all"],
            "tables none": ["tables", "tables 1"],
            "implied win forced repeat": [
                "implied forced win repeat",
                "implied",
                "implied win win",
                "implied win forced repeat nothing",
                "implied win forced repeat leaf",
                "implied win forced only repeat",
                "implied win repeat only",
                "implied everything",
            ],
            "here dead stop threats": [
                "here dead dead",
                "here dead=1",
                "here play",
                "here zone",
                "here follow",
                "here ",
                "here rule_dead",
            ],
            "after dead stop play": [
                "after dead stop",
                "after nothing",
                "after play play",
                "after play=1",
                "after play threats",
                "after play even",
            ],
        }
        self.assertEqual(list(changes), [line for line in good if not line.startswith("claim 2")])
        for line, others in changes.items():
            for other in others:
                data = file.bytes(lambda lines: [other if text == line else text for text in lines])
                result = checked(data)
                self.assertEqual(result.verdict, check.REFUSED, other)
                self.assertIn("header, line", result.fault)
            self.assertFalse(checked(file.bytes(lambda lines: [text for text in lines if text != line])).valid)
            self.assertFalse(
                checked(
                    file.bytes(lambda lines: [t for text in lines for t in ([text] * 2 if text == line else [text])])
                ).valid
            )

    def test_chunk_lines_that_are_wrong(self):
        file = certificate("heap:9", "9", FIRST, ["first win within 5", "first win"])
        self.assertTrue(checked(file.bytes()).valid)
        for old, new in [
            ("chunk 1", "chunk 2"),
            ("claim 1", "claim 3"),
            ("claim 1", "claim 0"),
            ("within 5", "within any"),
            ("within 5", "within 7"),
            ("within 5", "within 4"),
            ("position 9 first", "position 8 first"),
            ("position 9 first", "position 9 second"),
            ("position 9 first", "position 09 first"),
            ("bytes ", "bytes 1"),
            ("bytes ", "bytes 0"),
            ("inflated ", "inflated 1"),
            ("inflated ", "inflated 9999999999"),
            ("sha256 ", "sha256 0"),
            ("sha256 ", "sha256 A"),
            ("remembered ", "remembered -"),
            (" claim", "  claim"),
            ("first", "first "),
        ]:

            def change(lines):
                at = next(i for i, line in enumerate(lines) if line.startswith("chunk 1"))
                self.assertIn(old, lines[at])
                return lines[:at] + [lines[at].replace(old, new, 1)] + lines[at + 1 :]

            self.assertFalse(checked(file.bytes(change)).valid, (old, new))
        file.chunks.pop()
        self.assertIn("has no chunk", checked(file.bytes()).fault)

    def test_positions_that_are_wrong(self):
        for spec, board in [
            ("connect4:4x4", "..../x.../..../...."),
            ("connect4:4x4", "..../..../...."),
            ("connect4:3x4", ".../.../.../..."),
            ("connect4:16x8", empty_board(8, 16)),
            ("seven:3", empty_board(4, 3)),
            ("seven:32", empty_board(4, 32)),
            ("seven:4,setup=", empty_board(4, 4)),
            ("seven:5,first=breaker,edges=harness", empty_board(4, 5)),
            ("hex:1x3", "..."),
            ("hex:2x20", empty_board(2, 20)),
            ("hex:2x2", "?./.."),
            ("nex:2x2,swap=on,rules=official", "../.."),
            ("nex:2x3,swap=on", ".../..."),
            ("nex:19x19", empty_board(19, 19)),
            ("heap:501", "3"),
            ("heap:5", "6"),
            ("heap:0", "0"),
            ("heap", "1"),
            ("domineering:2x33", empty_board(2, 33)),
            ("domineering:0x3", ""),
            ("collapsi", "AAA/AAA/AAA"),
            ("collapsi", "XOA/AAA"),
            ("collapsi", "XOA/AAA/AAAA"),
            ("collapsi", "XOX/AAA/AAA"),
            ("collapsi", ".xOA/AAA/AAA"),
            ("collapsi:", "XOA/AAA/AAA"),
            ("collapsi:joker=tame", "XOA/AAA/AAA"),
            ("collapsi:3x3", "XOAA/AAAA/AAAA/AAAA"),
            ("collapsi", "XO5/AAA/AAA"),
        ]:
            file = File(spec, board, "first", ["first win"], [], [], ["play"])
            file.chunks = [[1, "any", board, "first", [0], 0]]
            result = checked(file.bytes())
            self.assertIn("header, line", result.fault, (spec, board))

    def test_sheets_that_are_wrong(self):
        def verdict(sheet, board=".....", side="first", spec=None):
            file = File(spec or sheet_spec(sheet), board, side, ["first win"], ["win"], ["threats"], ["play"], sheet)
            file.chunks = [[1, "any", board, side, [0, 1, 1], 0]]
            return checked(file.bytes())

        self.assertTrue(verdict(SHEET).valid, verdict(SHEET))
        self.assertTrue(verdict(SHEET, spec=sheet_spec(SHEET.removesuffix("\n"))).valid)
        for old, new in [
            ("#version", "#Version"),
            ("#version", "word"),
            ("#times", "#version"),
            ("a b c d e", "a b c d a"),
            ("t1 t2 t3 t4 t5", "t1 t2 t3 t4 t5 t6"),
            ("#blackturns t1", "#blackturns t1 t1"),
            ("#blackturns t1", "#blackturns u"),
            ("b c\n", "b x\n"),
            ("b c\n", "b b\n"),
            ("#blackinitials", "#blackinitials a"),
            ("#blackinitials", "#firstmoves a"),
            ("t1 t3 t5", "t1 t2"),
            ("t1 t2 t3 t4 t5", "t1 t2 t3"),
        ]:
            self.assertIn(old, SHEET)
            self.assertFalse(verdict(SHEET.replace(old, new, 1)).valid, (old, new))
        for board, side in [("....", "first"), (".....", "second"), ("B....", "first"), ("x....", "first")]:
            self.assertFalse(verdict(SHEET, board, side).valid)
        self.assertFalse(verdict(SHEET, spec=sheet_spec(SHEET + " ")).valid)
        # No move although the game is not over proves nothing.
        stuck = "#times t\n#blackturns\n#positions a b\n#blackwins a b\n#firstmoves\n"
        for text, board in [(stuck, ".."), (stuck + "b\n#whiteinitials a\n", ".W")]:
            file = File(sheet_spec(text), board, "second", ["first win"], [], [], ["play"], text)
            file.chunks = [[1, "any", board, "second", [0], 0]]
            self.assertFalse(checked(file.bytes()).valid)

    def test_tokens_that_are_wrong(self):
        file = certificate("mnk:2,2,2", "../..", FIRST, ["first win"], implied=("win",))
        tokens = file.chunks[0][4]
        self.assertTrue(checked(file.bytes()).valid)
        for raw in (
            b"",
            b"\x80",
            b"\x80\x00",
            b"\xff\xff\xff\xff\x1f",
            b"\x80\x80\x80\x80\x80\x00",
            bytes(tokens) + b"\x00",
            b"\x04",
            b"\xff\xff\xff\xff\x0f",
        ):
            file.chunks[0][4] = raw
            self.assertEqual(checked(file.bytes()).verdict, check.REFUSED, raw)

    def test_truncated_and_extended_files(self):
        data = certificate("heap:9", "9", FIRST, ["first win", "first win within 5"]).bytes()
        for end in range(len(data)):
            self.assertEqual(checked(data[:end]).verdict, check.REFUSED)
        self.assertFalse(checked(data + b"\n").valid)
        self.assertFalse(checked(data + data).valid)

    def test_a_long_line_of_play(self):
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(20000)
        try:
            data = certificate("heap:500", "500", FIRST, ["second win"]).bytes()
        finally:
            sys.setrecursionlimit(limit)
        result = checked(data)
        self.assertTrue(result.valid, result)
        self.assertGreater(result.stats["longest line"], 240)


class Hostile(unittest.TestCase):
    def test_large_inputs_take_little_memory(self):
        bomb = File("heap:9", "9", "first", ["first win"], [], [], ["play"])
        bomb.chunks = [[1, "any", "9", "first", bytes(50_000_000), 0]]
        endless = File("mnk:15,15,5", empty_board(15, 15), "first", ["first draw"], [], [], ["play"])
        endless.chunks = [[1, "any", empty_board(15, 15), "first", bytes(20_000_000), 0]]
        data = {
            "zip bomb": bomb.bytes(),
            "endless": endless.bytes(),
            "no line feed": b"ludex certificate 1\ngame heap:" + b"9" * 30_000_000,
            "lines": b"ludex certificate 1\ngame heap:9\nposition 9 first\n"
            + b"".join(b"claim %d first win\n" % (i + 1) for i in range(80_000)),
        }
        del bomb, endless
        import tracemalloc

        for name, content in data.items():
            tracemalloc.start()
            begin = time.monotonic()
            result = checked(content, seconds=20)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            self.assertNotEqual(result.verdict, check.VALID, name)
            self.assertLess(peak, 40_000_000, name)
            self.assertLess(time.monotonic() - begin, 60, name)

    def test_limits_of_the_checker_itself(self):
        data = certificate("mnk:3,3,3", ".../.../...", FIRST, ["first draw"]).bytes()
        self.assertEqual(checked(data, remembered=3).verdict, check.GAVE_UP)
        self.assertEqual(checked(data, seconds=-1).verdict, check.GAVE_UP)

    def test_numbers_and_texts_of_any_length(self):
        for line in (
            "game heap:" + "9" * 5000,
            "game mnk:3,3," + "9" * 5000,
            "game connect4:4x99999999999999999999",
            "game hex:" + "2x" * 1000,
            "game seven:" + "1" * 6000,
            "game collapsi:" + "/" * 9000,
            "game \x1b[31mheap:9",
            "game heap:9\r",
            "game heap:\x00",
        ):
            data = f"ludex certificate 1\n{line}\nposition 9 first\n".encode()
            result = checked(data)
            self.assertEqual(result.verdict, check.REFUSED)
            self.assertTrue(str(result).isprintable())

    def test_random_bytes(self):
        rng = random.Random(6)
        start = b"ludex certificate 1\n"
        for _ in range(300):
            self.assertEqual(
                checked(start[: rng.randint(0, 20)] + rng.randbytes(rng.randint(0, 300))).verdict, check.REFUSED
            )


# ---------------------------------------------------------------------------------------------------------------------
# Mutations: refused, or what the header says is still true
# ---------------------------------------------------------------------------------------------------------------------


def mutated(file: File, rng) -> bytes:
    """A certificate with one or two faults. Most have the right digests, so that the fault reaches the checker's logic."""
    copy = File(
        file.spec, file.board, file.side, file.claims, file.implied, file.here, file.after, file.sheet, file.level
    )
    copy.chunks = [[*chunk[:4], list(chunk[4]), chunk[5]] for chunk in file.chunks]
    for _ in range(rng.choice((1, 1, 2))):
        kind = rng.randrange(9)
        chunk = rng.choice(copy.chunks)
        tokens = chunk[4]
        at = rng.randrange(len(tokens)) if tokens else 0
        if kind == 0 and tokens:
            tokens[at] = rng.choice((rng.randrange(40), tokens[at] + 1, max(0, tokens[at] - 1)))
        elif kind == 1 and tokens:
            del tokens[at : at + rng.randint(1, 3)]
        elif kind == 2 and tokens:
            other = rng.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 3:
            tokens.insert(at, rng.randrange(20))
        elif kind == 4:
            i = rng.randrange(len(copy.claims))
            words = copy.claims[i].split(" ")
            words[0] = rng.choice((words[0], words[0], *SIDES))
            words[1] = rng.choice(("win", "draw"))
            within = rng.choice(
                ("any", rng.randrange(12), int(words[3]) + rng.choice((-1, 1, 2)) if len(words) > 2 else "any")
            )
            within = "any" if words[1] == "draw" else within
            copy.claims[i] = " ".join(words[:2] + ([] if within == "any" else ["within", str(within)]))
            for other in copy.chunks:
                if other[0] == i + 1:
                    other[1] = within
        elif kind == 5:
            board = list(copy.board)
            where = rng.randrange(len(board))
            board[where] = rng.choice(copy.board + ".xoMBWA2?9")
            old, copy.board = copy.board, "".join(board)
            copy.side = rng.choice((copy.side, copy.side, *SIDES))
            for other in copy.chunks:
                if other[2] == old:
                    other[2], other[3] = copy.board, copy.side
        elif kind == 6:
            copy.implied = [word for word in MORE if (word in copy.implied) != (rng.random() < 0.3)]
        elif kind == 7:
            words = copy.here if rng.random() < 0.5 else copy.after
            rng.shuffle(words)
        else:
            copy.chunks.insert(rng.randrange(len(copy.chunks) + 1), list(rng.choice(copy.chunks)))
    data = copy.bytes()
    if rng.random() < 0.1:
        at = rng.randrange(len(data))
        data = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    return data


class Mutations(unittest.TestCase):
    def test_mutated_files_are_refused_or_still_true(self):
        rng = random.Random(int(os.environ.get("LUDEX_SEED", "7")))
        truths, verdicts = {}, {check.VALID: 0, check.REFUSED: 0}
        for file in samples():
            for _ in range(MUTATIONS):
                data = mutated(file, rng)
                result = checked(data)
                verdicts[result.verdict] += 1
                if result.valid:
                    header = check.Header(io.BytesIO(data))
                    truth = truths.setdefault((header.spec, file.sheet), Truth(header.game))
                    for claim in header.claims:
                        self.assertTrue(
                            truth.holds(header.root, claim), (header.spec, header.board, header.side, str(claim))
                        )
        self.assertGreater(verdicts[check.VALID], len(samples()) * MUTATIONS // 100, verdicts)
        self.assertGreater(verdicts[check.REFUSED], len(samples()) * MUTATIONS // 2, verdicts)


# ---------------------------------------------------------------------------------------------------------------------
# The command, and the other checker
# ---------------------------------------------------------------------------------------------------------------------


def run(*arguments):
    return subprocess.run(
        [sys.executable, str(ROOT / "tools" / "check.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,
    )


class Command(unittest.TestCase):
    def test_exit_codes_and_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            good, bad = Path(folder, "good.ludex"), Path(folder, "bad.ludex")
            data = certificate("heap:9", "9", FIRST, ["first win within 5"]).bytes()
            good.write_bytes(data)
            bad.write_bytes(data[:-1])
            done = run(good)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(
                done.stdout, r"good.ludex: heap:9 at 9 first: first win within 5: valid, \d+ moves stored\n$"
            )
            done = run(good, bad, good)
            self.assertEqual((done.returncode, done.stderr, len(done.stdout.splitlines())), (3, "", 3))
            self.assertEqual(run(good, Path(folder, "missing")).returncode, 2)
            self.assertEqual(run(bad, Path(folder, "missing")).returncode, 3)
            self.assertEqual(run(folder).returncode, 2)
            self.assertEqual(run().returncode, 2)
            done = run("--stats", good)
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stdout, r"compressed bytes +\d+\n")
            for name in ("missing", folder, good, bad):
                self.assertNotIn("Traceback", run(name).stderr)


def other_checker():
    """The `ludex` program, if there is one that can check certificates."""
    for path in (os.environ.get("LUDEX"), ROOT / "target/release/ludex", ROOT / "target/debug/ludex"):
        if path and Path(path).is_file():
            done = subprocess.run([path, "check", "--help"], capture_output=True, text=True)
            if done.returncode == 0 and "certificate" in done.stdout:
                return str(path)
    return None


class Agreement(unittest.TestCase):
    def test_proofs_of_the_repository(self):
        for path in sorted((ROOT / "proofs").rglob("*.ludex")):
            with self.subTest(path.name):
                result = check.check(path)
                self.assertTrue(result.valid, result)

    @unittest.skipUnless(other_checker(), "there is no ludex program that can check certificates")
    def test_both_checkers_agree(self):
        program, rng = other_checker(), random.Random(8)
        with tempfile.TemporaryDirectory() as folder:
            for i, file in enumerate(samples()):
                for data in [file.bytes()] + [mutated(file, rng) for _ in range(MUTATIONS // 4)]:
                    path = Path(folder, f"{i}.ludex")
                    path.write_bytes(data)
                    code = subprocess.run([program, "check", path], capture_output=True, timeout=600).returncode
                    result = check.check(path)
                    # The example game is of a crate outside: the plain program does not know it, and refuses.
                    foreign = b"game domineering" in data and code == 3
                    if code != (0 if result.valid else 3) and not foreign:
                        kept = Path(tempfile.gettempdir(), f"disagreement-{i}.ludex")
                        kept.write_bytes(data)
                        self.fail(f"{kept}: ludex check ends with {code}, check.py says {result}")


if __name__ == "__main__":
    unittest.main()
