"""Games written in Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

from . import _ludex
from ._answers import Outcome, Side
from ._game import Game

P = TypeVar("P")
M = TypeVar("M")


class OwnGame(Game, ABC, Generic[P, M]):
    """A game of your own: write five methods, and solve it, analyse it, play it, build tables of it, see it in a notebook.

    Two sides, perfect information, no chance, and finite: every move brings the end nearer. Positions and moves may be any
    objects; positions that can be hashed are kept once each. `ludex.faults_of` tells what is wrong with the rules.

    >>> class Heap(OwnGame[int, int]):
    ...     '''Take one, two or three counters; who takes the last one wins.'''
    ...
    ...     def __init__(self, size: int) -> None:
    ...         self.size = size
    ...
    ...     def start(self) -> int:
    ...         return self.size
    ...
    ...     def moves(self, position: int) -> list[int]:
    ...         return [n for n in (1, 2, 3) if n <= position]
    ...
    ...     def play(self, position: int, move: int) -> int:
    ...         return position - move
    ...
    ...     def outcome(self, position: int) -> Outcome | None:
    ...         return "loss" if position == 0 else None
    ...
    ...     def key(self, position: int) -> int:
    ...         return position
    >>> verdict = Heap(21).position().solve(goal="distance")
    >>> verdict.outcome, verdict.plies, verdict.best
    ('win', 11, ['1'])
    """

    #: The folder with tables of the game, if there is one.
    table_folder: str | None = None

    def __init__(self) -> None:
        """Settings of a game, such as the size of its board, are attributes that a subclass sets here."""

    @abstractmethod
    def start(self) -> P:
        """The position in which a game begins."""

    @abstractmethod
    def moves(self, position: P) -> Iterable[M]:
        """The legal moves of an unfinished game; there is at least one. The order is that in which equally good moves are
        named."""

    @abstractmethod
    def play(self, position: P, move: M) -> P:
        """The position after a move. The old one must stay as it is."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """None while the game goes on; at its end ``"win"``, ``"draw"`` or ``"loss"`` for the side to move."""

    @abstractmethod
    def key(self, position: P) -> Any:
        """Something hashable that two positions with the same side to move share only if they are worth the same. Whole
        numbers below 2**126 are quickest, and needed for tables."""

    def side(self, position: P) -> Side | None:
        """Whose turn it is, ``"first"`` or ``"second"``. The default, None, lets the sides take turns."""
        return None

    def move_text(self, position: P, move: M) -> str:
        """The text of a move, without commas, different for all moves of a position."""
        return "-".join(map(str, move)) if isinstance(move, tuple) else str(move)

    def picture(self, position: P) -> str | None:
        """The board for people, several lines if need be."""
        return str(position)

    def grid(self, position: P) -> Sequence[str] | None:
        """The rows of the board, a sign for each cell: ``.`` is empty, ``x`` the first side's, ``o`` the second side's. With
        it the board is drawn as a board."""
        return None

    @property
    def _native(self) -> _ludex.NativeGame:
        # Made when it is first needed, so that a subclass with settings need not call `super().__init__`.
        if "_made" not in vars(self):
            title = (type(self).__doc__ or type(self).__name__).strip().splitlines()[0]
            self._made = _ludex.NativeGame.own(self, self._spec(), title, self.table_folder)
        return self._made

    def _spec(self) -> str:
        """The class and its settings, so that games of different sizes are different games."""
        told = {k: v for k, v in vars(self).items() if k[0] != "_" and k != "table_folder" and isinstance(v, (int, str))}
        settings = [f"{k}={v}" for k, v in sorted(told.items())]
        return ",".join([f"python:{type(self).__name__.lower()}", *settings])

    def __repr__(self) -> str:
        return f"<{self.spec}>"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        settings = {k: v for k, v in vars(self).items() if k != "_made"}
        return _restored, (type(self), settings)


def _restored(kind: type[OwnGame[Any, Any]], settings: dict[str, Any]) -> OwnGame[Any, Any]:
    game = kind.__new__(kind)
    vars(game).update(settings)
    return game
