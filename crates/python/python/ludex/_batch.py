"""Many positions at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from . import _ludex
from ._answers import Goal
from ._errors import LudexError
from ._game import Game, Position
from ._question import Limits, Seconds

if TYPE_CHECKING:
    import numpy
    import pyarrow  # type: ignore[import-not-found,unused-ignore]

    Column = numpy.ndarray[Any, numpy.dtype[numpy.signedinteger[Any]]]

#: What stands for a number that is not known, in the columns ``plies`` and ``score``.
NONE = -(1 << 15)
#: What stands for an outcome that is not known.
UNKNOWN = -(1 << 7)

_NUMPY_TYPES = {"b": "int8", "B": "uint8", "h": "<i2", "I": "<u4"}


def _column(raw: bytearray, code: str) -> Any:
    try:
        import numpy
    except ImportError:
        return memoryview(raw).cast(code)  # type: ignore[call-overload,unused-ignore]
    return numpy.frombuffer(raw, dtype=_NUMPY_TYPES[code])


class Batch:
    """What many positions are worth, as columns: NumPy arrays, or memory views where there is no NumPy.

    ``outcome``, ``plies``, ``score``, ``to_move`` and ``unsolved`` have an entry for each position; ``move_outcome``,
    ``move_plies``, ``move_score`` and ``move_code`` one for each move of each position, smallest move first. The moves of
    position ``i`` are those from ``starts[i]`` to ``starts[i + 1]``, and the text of a move is ``words[code]``.

    Outcomes are 1, 0 and -1 for the side to move (of a move: for the side that makes it), `UNKNOWN` if not known; plies and
    scores are `NONE` if there is none.

    >>> import ludex
    >>> batch = ludex.Game("connect4").analyze_batch(["4453", "445"], threads=2)
    >>> batch.score.tolist()
    [-2, 2]
    >>> batch.scores(0)["6"]
    -2
    """

    def __init__(self, positions: list[str], columns: dict[str, Any]) -> None:
        #: The texts of the positions, as they were given.
        self.positions = positions
        moves = columns["moves"]
        #: How each position ends for the side to move.
        self.outcome: Column = _column(columns["outcome"], "b")
        #: In how many plies.
        self.plies: Column = _column(columns["plies"], "h")
        #: The score by the game's convention.
        self.score: Column = _column(columns["score"], "h")
        #: 0 for the first side, 1 for the second.
        self.to_move: Column = _column(columns["to_move"], "B")
        #: 0 where everything that was asked is answered, 1 where limits cut it short, 2 where the position is none.
        self.unsolved: Column = _column(columns["unsolved"], "B")
        self.starts: Column = _column(columns["starts"], "I")
        self.move_outcome: Column = _column(moves["outcome"], "b")
        self.move_plies: Column = _column(moves["plies"], "h")
        self.move_score: Column = _column(moves["score"], "h")
        self.move_code: Column = _column(columns["codes"], "I")
        #: The texts of the moves.
        self.words: list[str] = columns["words"]
        #: What is wrong with positions, by their place.
        self.errors: dict[int, LudexError] = {i: LudexError(*error) for i, *error in columns["wrong"]}

    def __len__(self) -> int:
        return len(self.positions)

    def moves(self, i: int) -> list[str]:
        """The moves of a position, smallest first."""
        return [self.words[int(self.move_code[k])] for k in self._range(i)]

    def scores(self, i: int) -> dict[str, int | None]:
        """The score of every move of a position."""
        return {self.words[int(self.move_code[k])]: _known(self.move_score[k]) for k in self._range(i)}

    def best(self, i: int) -> list[str]:
        """All best moves of a position: those that end as well and as soon (or, when lost, as late) as any."""
        ranks = {self.words[int(self.move_code[k])]: self._rank(k) for k in self._range(i)}
        most = max(ranks.values(), default=None)
        return [move for move, rank in ranks.items() if rank == most]

    def _range(self, i: int) -> range:
        if not 0 <= i < len(self):
            raise IndexError(f"there are {len(self)} positions, and none has the place {i}")
        return range(int(self.starts[i]), int(self.starts[i + 1]))

    def _rank(self, k: int) -> tuple[int, int]:
        outcome, plies = int(self.move_outcome[k]), _known(self.move_plies[k]) or 0
        return outcome, -outcome * plies

    def to_arrow(self) -> pyarrow.Table:
        """The batch as an Arrow table with a list of moves for each position. Needs the package ``pyarrow``."""
        import numpy
        import pyarrow

        def short(column: Column) -> Any:
            return pyarrow.array(column, mask=numpy.isin(column, (NONE, UNKNOWN)))

        texts = pyarrow.DictionaryArray.from_arrays(pyarrow.array(self.move_code), pyarrow.array(self.words, "string"))
        fields = {
            "move": texts,
            "outcome": short(self.move_outcome),
            "plies": short(self.move_plies),
            "score": short(self.move_score),
        }
        moves = pyarrow.StructArray.from_arrays(list(fields.values()), names=list(fields))
        starts = pyarrow.array(self.starts).cast("int32")
        return pyarrow.table(
            {
                "position": self.positions,
                "to_move": pyarrow.array(self.to_move),
                "outcome": short(self.outcome),
                "plies": short(self.plies),
                "score": short(self.score),
                "unsolved": pyarrow.array(self.unsolved),
                "moves": pyarrow.ListArray.from_arrays(starts, moves),
            }
        )


def _known(number: Any) -> int | None:
    return None if int(number) == NONE else int(number)


def ask(game: Game, positions: Iterable[Position | str], goal: Goal | None, limits: Limits) -> Batch:
    """Ask about positions of one game."""
    texts = [p.text if isinstance(p, Position) else p for p in positions]
    native = game._native
    asked = goal or cast("Goal", native.usual_goal())
    return Batch(texts, _ludex.analyze_batch(native, texts, limits.question(None, asked)))


def analyze_batch(
    positions: Iterable[Position],
    *,
    goal: Goal | None = None,
    time: Seconds | None = None,
    nodes: int | None = None,
    memory: int = 1 << 30,
    threads: int = 1,
    solver: str | None = None,
    without: Iterable[str] = (),
    tables: bool = True,
    book: bool = True,
) -> Batch:
    """What every move of every position is worth, as columns of numbers, without lines of play.

    The positions are of one game. ``threads`` share them, ``memory`` is for all threads together, and the other limits are
    for each position. The interpreter is free meanwhile, and Ctrl-C ends it.

    >>> import ludex
    >>> game = ludex.Game("heap:9")
    >>> ludex.analyze_batch([game.position(str(n)) for n in range(1, 9)]).outcome.tolist()
    [1, 1, 1, -1, 1, 1, 1, -1]
    """
    listed = list(positions)
    if not listed:
        raise ValueError("no positions are given; an empty list of a game can be asked with Game.analyze_batch")
    game = listed[0].game
    other = next((p.game for p in listed if p.game != game), None)
    if other is not None:
        raise ValueError(f"all positions are of one game, and these are of {game.spec} and of {other.spec}")
    limits = Limits(time, nodes, memory, threads, solver, without, tables, book)
    return ask(game, listed, goal, limits)
