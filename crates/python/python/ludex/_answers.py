"""The answers of the judge: the objects of the machine interface as dataclasses.

Every class has the fields that the interface has, by the same names (only ``from``, which Python keeps for itself, is
``from_``), and ``to_dict()`` gives the object as it was received, later additions to the interface included.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

Side = Literal["first", "second"]
Outcome = Literal["win", "draw", "loss"]
KnownOutcome = Literal["win", "draw", "loss", "unknown"]
Status = Literal["solved", "out_of_time", "out_of_memory", "out_of_nodes", "cancelled"]
Goal = Literal["wdl", "distance"]
Source = Literal["search", "cache", "table", "book"]
Mark = Literal["best", "good", "lost_win", "lost_draw", "unknown"]

A = TypeVar("A", bound="Answer")


@dataclass(frozen=True)
class Answer:
    """What all answers have in common."""

    _raw: dict[str, Any] = field(default_factory=dict, repr=False, compare=False, kw_only=True)

    def to_dict(self) -> dict[str, Any]:
        """The object of the machine interface."""
        return dict(self._raw)

    def to_json(self) -> str:
        """The object of the machine interface as a line of JSON."""
        return json.dumps(self._raw, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def of(cls: type[A], raw: dict[str, Any]) -> A:
        """Read an object of the machine interface. Fields that this version does not know are kept in ``to_dict()``."""
        known = {name: raw[word] for name, word in cls._words().items() if word in raw}
        return cls(**cls._read(known), _raw=raw)

    @classmethod
    def of_json(cls: type[A], line: str) -> A:
        """Read a line of JSON."""
        raw: dict[str, Any] = json.loads(line)
        return cls.of(raw)

    @classmethod
    def _words(cls) -> dict[str, str]:
        names = (name for name in cls.__dataclass_fields__ if not name.startswith("_"))
        return {name: name.rstrip("_") for name in names}

    @classmethod
    def _read(cls, known: dict[str, Any]) -> dict[str, Any]:
        return known


@dataclass(frozen=True)
class Value(Answer):
    """How a position ends for a side, and in how many plies at most or at least."""

    outcome: Outcome
    plies: int | None = None


@dataclass(frozen=True)
class Verdict(Answer):
    """What is known of a position.

    >>> import ludex
    >>> verdict = ludex.Game("mnk:3,3,3").position().solve()
    >>> verdict.outcome, verdict.status
    ('draw', 'solved')
    """

    #: The canonical spec of the game.
    game: str
    #: The canonical text of the position.
    position: str
    #: Who is to move.
    to_move: Side
    #: Whether the question is answered, or why not.
    status: Status
    #: How it ends for the side to move.
    outcome: KnownOutcome
    #: Moves of either side to the end, if they were asked for and are known; None for draws.
    plies: int | None
    #: What the side to move gets at least.
    lower: Value
    #: What the side to move gets at most.
    upper: Value
    #: A best move, or all best moves in an analysis.
    best: list[str]
    #: A line of best play.
    pv: list[str]
    #: The search that found it.
    solver: str
    #: Where it comes from.
    from_: Source
    #: What it took.
    stats: dict[str, Any] = field(repr=False)
    #: The score for the side to move by the game's convention, where it has one.
    score: int | None = None
    #: The verdict in a sentence.
    sentence: str = ""
    #: What went wrong without harm to the answer.
    warnings: list[dict[str, str]] = field(default_factory=list, repr=False)
    #: The version of the machine interface.
    version: int = field(default=1, repr=False)

    @classmethod
    def _read(cls, known: dict[str, Any]) -> dict[str, Any]:
        return known | {"lower": Value.of(known["lower"]), "upper": Value.of(known["upper"])}

    @property
    def is_solved(self) -> bool:
        """Whether the question is answered."""
        return self.status == "solved"

    @property
    def winner(self) -> Side | None:
        """Who wins with perfect play; None for a draw, and while it is not known."""
        return _winner(self.outcome, self.to_move)


@dataclass(frozen=True)
class MoveValue(Answer):
    """A move in an analysis, with what it is worth to the side that makes it."""

    move: str
    outcome: KnownOutcome
    #: Plies from the position before it.
    plies: int | None
    lower: Value = field(repr=False)
    upper: Value = field(repr=False)
    score: int | None = None

    @classmethod
    def _read(cls, known: dict[str, Any]) -> dict[str, Any]:
        return known | {"lower": Value.of(known["lower"]), "upper": Value.of(known["upper"])}


@dataclass(frozen=True)
class Analysis(Verdict):
    """A verdict with every legal move, best first.

    >>> import ludex
    >>> analysis = ludex.Game("connect4").position("4453").analyze()
    >>> analysis.scores["6"], analysis.best
    (-2, ['3', '6', '7'])
    """

    moves: list[MoveValue] = field(default_factory=list, repr=False)

    @classmethod
    def _read(cls, known: dict[str, Any]) -> dict[str, Any]:
        return super()._read(known) | {"moves": [MoveValue.of(m) for m in known["moves"]]}

    @property
    def scores(self) -> dict[str, int | None]:
        """The score of every move, where the game has scores, best first."""
        return {m.move: m.score for m in self.moves}


@dataclass(frozen=True)
class Ply(Answer):
    """A move of the line of an explanation."""

    move: str
    by: Side
    #: What it does: ``forced``, ``threatens c3``, ``wins``.
    note: str | None = None


@dataclass(frozen=True)
class Explanation(Answer):
    """Why a position is worth what it is."""

    game: str
    position: str
    to_move: Side
    status: Status
    #: The verdict in a sentence.
    verdict: str
    #: The reasons: each has a ``text``, and the ``cells`` and ``pairs`` that it is about.
    reasons: list[dict[str, Any]]
    #: A line of best play.
    line: list[Ply]
    warnings: list[dict[str, str]] = field(default_factory=list, repr=False)

    @classmethod
    def _read(cls, known: dict[str, Any]) -> dict[str, Any]:
        return known | {"line": [Ply.of(ply) for ply in known["line"]]}


@dataclass(frozen=True)
class Choice(Answer):
    """A move to play."""

    #: The move, unless the game is over.
    best: str | None
    #: What is certain about it, if anything is.
    verdict: Verdict | None
    #: Otherwise what was thought about it: a guess, never a verdict.
    thought: dict[str, Any] | None = field(repr=False)

    @classmethod
    def _read(cls, known: dict[str, Any]) -> dict[str, Any]:
        verdict = known["verdict"]
        return known | {"verdict": Verdict.of(verdict) if verdict else None}


@dataclass(frozen=True)
class Progress(Answer):
    """How far a search is."""

    #: Positions searched so far.
    nodes: int
    seconds: float
    #: Positions searched in a second.
    rate: int
    #: What is certain so far.
    lower: Value
    upper: Value
    #: In an analysis: how many moves are done, of how many.
    moves: dict[str, int] | None = None

    @classmethod
    def _read(cls, known: dict[str, Any]) -> dict[str, Any]:
        return known | {"lower": Value.of(known["lower"]), "upper": Value.of(known["upper"])}


@dataclass(frozen=True)
class Puzzle(Answer):
    """A position in which exactly one move wins."""

    game: str
    position: str
    to_move: Side
    #: The seed that makes it again.
    seed: int
    #: The length of the win.
    plies: int
    #: A line that wins.
    solution: list[str]
    best: list[str]


@dataclass(frozen=True)
class Worth(Answer):
    """How a position or a move ends, as far as it is known."""

    outcome: KnownOutcome
    plies: int | None


@dataclass(frozen=True)
class Reviewed(Answer):
    """A move of a game that was looked back on. What it is worth is said for the side that made it."""

    move: str
    by: Side
    mark: Mark
    before: Worth
    after: Worth
    #: A move that would have kept what was given away.
    better: str | None = None

    @classmethod
    def _read(cls, known: dict[str, Any]) -> dict[str, Any]:
        return known | {"before": Worth.of(known["before"]), "after": Worth.of(known["after"])}


@dataclass(frozen=True)
class Review(Answer):
    """A game looked back on."""

    game: str
    start: str
    position: str
    sides: list[str]
    over: bool
    winner: Side | None
    #: Where the game turned, in words.
    sentence: str
    moves: list[Reviewed] = field(repr=False)

    @classmethod
    def _read(cls, known: dict[str, Any]) -> dict[str, Any]:
        return known | {"moves": [Reviewed.of(m) for m in known["moves"]]}


def _winner(outcome: str | None, to_move: Side) -> Side | None:
    if outcome == "win":
        return to_move
    if outcome == "loss":
        return "second" if to_move == "first" else "first"
    return None
