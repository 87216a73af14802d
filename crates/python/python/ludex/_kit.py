"""What is wrong with a game written in Python.

A search trusts the rules. With a key that mixes up two positions, or a move that changes the position it was made in, it
gives wrong answers without any error; here such faults are found and named.
"""

from __future__ import annotations

import copy
import random
from typing import Any

from ._own import OwnGame

#: The longest line of play that a value can tell.
LONGEST = 998

#: How a position ends for the side to move: -1, 0 or 1, and in how many plies.
Value = tuple[int, int]


class _Fault(Exception):
    """The rules break a promise."""


def faults_of(game: OwnGame[Any, Any], *, games: int = 200, positions: int = 20_000, seed: int = 1) -> list[str]:
    """What is wrong with a game: a sentence for each fault, an empty list if nothing was found.

    It plays ``games`` random games and puts every question to the rules twice. If the game has no more than ``positions``
    positions, it also works out what each is worth by going through all moves, without keys, checks that positions with the
    same key are worth the same, and that the judge finds the same value.

    >>> class Forgetful(OwnGame[int, int]):
    ...     def start(self): return 9
    ...     def moves(self, position): return [n for n in (1, 2, 3) if n <= position]
    ...     def play(self, position, move): return position - move
    ...     def outcome(self, position): return "loss" if position == 0 else None
    ...     def key(self, position): return position // 2
    >>> faults_of(Forgetful())
    ['5 and 4 have the same key 2, but one is worth win in 3 and the other loss in 2']
    """
    try:
        rng = random.Random(seed)
        for _ in range(games):
            _play(game, rng)
        _compare(game, positions)
    except _Fault as fault:
        return [str(fault)]
    except Exception as error:  # What the rules raise is what the caller wants to hear of.
        return [f"{type(error).__name__}: {error}"]
    return []


def _differ(first: object, second: object) -> bool:
    """Whether two things differ, where their type can tell."""
    return type(first).__eq__ is not object.__eq__ and first != second


def _same(what: str, first: object, second: object) -> None:
    if _differ(first, second):
        raise _Fault(f"{what} gives {first!r} and then {second!r}: the same question must have the same answer")


def _play(game: OwnGame[Any, Any], rng: random.Random) -> None:
    """One random game, with every question put twice."""
    position, line = game.start(), list[str]()
    _same("start()", position, game.start())
    keys: dict[Any, Any] = {}
    for ply in range(LONGEST + 2):
        before = copy.deepcopy(position)
        outcome = _ask(game, position)
        key = (game.key(position), game.side(position) or ply % 2)
        if key in keys:
            raise _Fault(f"after {line} the key is {key[0]!r} again, as it was before: a game must not come back")
        keys[key] = position
        if outcome is not None:
            return
        moves = list(game.moves(position))
        move = rng.choice(moves)
        after = game.play(position, move)
        if after is None:
            raise _Fault(f"play({position!r}, {move!r}) returns None: it must return the position after the move")
        if _differ(position, before) or game.key(position) != key[0]:
            raise _Fault(f"play({before!r}, {move!r}) changes the position that it is given into {position!r}")
        _same(f"play({position!r}, {move!r})", after, game.play(position, move))
        line.append(game.move_text(position, move))
        position = after
    raise _Fault(f"a game lasts longer than {LONGEST} plies: every move has to bring the end nearer")


def _ask(game: OwnGame[Any, Any], position: Any) -> str | None:
    """The outcome of a position, after everything that can be seen of it was asked twice."""
    outcome = game.outcome(position)
    _same(f"outcome({position!r})", outcome, game.outcome(position))
    if outcome not in (None, "win", "draw", "loss"):
        raise _Fault(f"outcome({position!r}) is {outcome!r}, and must be None, 'win', 'draw' or 'loss'")
    side = game.side(position)
    if side not in (None, "first", "second"):
        raise _Fault(f"side({position!r}) is {side!r}, and must be 'first' or 'second'")
    _same(f"key({position!r})", game.key(position), game.key(position))
    try:
        hash(game.key(position))
    except TypeError:
        raise _Fault(f"key({position!r}) is {game.key(position)!r}, which cannot be hashed") from None
    if outcome is None:
        moves = list(game.moves(position))
        _same(f"moves({position!r})", moves, list(game.moves(position)))
        if not moves:
            raise _Fault(f"moves({position!r}) is empty, though outcome says that the game goes on")
        texts = [game.move_text(position, m) for m in moves]
        twice = {text for text in texts if texts.count(text) > 1}
        if twice:
            raise _Fault(f"moves({position!r}) has more than one move with the text {min(twice)!r}")
    return outcome


def _compare(game: OwnGame[Any, Any], most: int) -> None:
    """Work out the whole game without keys, if it is small, and compare."""
    nodes: list[tuple[Any, int, int]] = []
    numbers: dict[Any, int] = {}
    children: list[list[int]] = []

    def number(position: Any, ply: int) -> int:
        side = {"first": 0, "second": 1, None: ply % 2}[game.side(position)]
        try:
            known = numbers.setdefault((position, side, ply), len(nodes))
        except TypeError:
            known = len(nodes)
        if known == len(nodes):
            nodes.append((position, side, ply))
        return known

    number(game.start(), 0)
    next_one = 0
    while next_one < len(nodes):
        if len(nodes) > most:
            return
        position, _, ply = nodes[next_one]
        over = game.outcome(position) is not None
        moves = [] if over else game.moves(position)
        children.append([number(game.play(position, m), ply + 1) for m in moves])
        next_one += 1
    values: dict[int, Value] = {}
    by_key: dict[Any, int] = {}
    for i in sorted(range(len(nodes)), key=lambda i: -nodes[i][2]):
        position, side, _ = nodes[i]
        outcome = game.outcome(position)
        if outcome is not None:
            values[i] = ({"win": 1, "draw": 0, "loss": -1}[outcome], 0)
        else:
            values[i] = max((_back(values[c], side == nodes[c][1]) for c in children[i]), key=_rank)
        key = (game.key(position), side, outcome is None)
        other = by_key.setdefault(key, i)
        if values[other] != values[i]:
            raise _Fault(
                f"{nodes[other][0]!r} and {position!r} have the same key {key[0]!r}, but one is worth "
                f"{_words(values[other])} and the other {_words(values[i])}"
            )
    verdict = game.position().solve(goal="distance") if game.outcome(game.start()) is None else None
    if verdict is not None:
        found = ({"win": 1, "draw": 0, "loss": -1}[verdict.outcome], verdict.plies or 0)
        if found != values[0]:
            raise _Fault(f"the start is worth {_words(values[0])}, but the judge finds {_words(found)}")


def _back(value: Value, same_side: bool) -> Value:
    """The value of a move, from that of the position it leads to. A draw has no length."""
    outcome, plies = value
    return (outcome if same_side else -outcome), (plies + 1 if outcome else 0)


def _rank(value: Value) -> tuple[int, int]:
    return value[0], -value[0] * value[1]


def _words(value: Value) -> str:
    return "a draw" if value[0] == 0 else f"{'win' if value[0] > 0 else 'loss'} in {value[1]}"
