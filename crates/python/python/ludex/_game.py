"""Games and positions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from . import _ludex
from ._answers import (
    Analysis,
    Choice,
    Explanation,
    Goal,
    Outcome,
    Progress,
    Puzzle,
    Review,
    Side,
    Verdict,
    _winner,
)
from ._question import Limits, Seconds, reporter

if TYPE_CHECKING:
    from ._batch import Batch

#: A move: its text, or a number where moves are numbers.
Move = str | int


class Game:
    """A game: ``connect4``, ``connect4:8x7``, ``mnk:5,5,4``, ``nex:4x4``, ``hex:3x3``, ``heap:21`` …

    ``db`` is the file of a database in which verdicts are kept and looked up; ``tables`` is a folder of table files.

    >>> game = Game("connect4")
    >>> game.title
    'Connect Four 7x6'
    >>> game.position("4453").legal_moves
    ['1', '2', '3', '4', '5', '6', '7']
    """

    def __init__(
        self, spec: str, *, db: str | PathLike[str] | None = None, tables: str | PathLike[str] | None = None
    ) -> None:
        self._made = _ludex.NativeGame(spec, db, tables)
        self._files = (db, tables)

    @property
    def _native(self) -> _ludex.NativeGame:
        return self._made

    @property
    def spec(self) -> str:
        """The canonical spec."""
        return self._native.spec()

    @property
    def title(self) -> str:
        """The name for people."""
        return self._native.title()

    @property
    def about(self) -> str:
        """What it is, in a sentence."""
        return self._native.about()

    @property
    def side_names(self) -> tuple[str, str]:
        """What the sides are called.

        >>> Game("connect4").side_names
        ('Red', 'Yellow')
        """
        first, second = self._native.side_names()
        return first, second

    @property
    def solvers(self) -> list[str]:
        """The searches that can be named in ``solver=``."""
        return self._native.solvers()

    @property
    def switches(self) -> dict[str, str]:
        """The rules that can be named in ``without=``, each with what it is."""
        return dict(self._native.switches())

    @property
    def cells(self) -> list[list[str]] | None:
        """The names of the cells, row by row from the top, if the board has rows of cells."""
        return self._native.cells()

    def position(self, text: str | None = None, *, moves: Iterable[Move] = (), seed: int | None = None) -> Position:
        """A position from its text, or the start; ``moves`` are played from there. ``seed`` makes the deal of games that
        begin with one.

        >>> Game("mnk:3,3,3").position("xo./.../...").to_move
        'first'
        >>> Game("connect4").position(moves=[4, 4, 5]) == Game("connect4").position("445")
        True
        """
        native = self._native
        start = native.start(seed) if text is None else native.state(text)[0]
        position = Position(self, start)
        for move in moves:
            position.push(move)
        return position

    def analyze_batch(
        self,
        positions: Iterable[Position | str],
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
        """Every move of every position, as columns of numbers. See `ludex.analyze_batch`."""
        from ._batch import ask

        return ask(self, positions, goal, Limits(time, nodes, memory, threads, solver, without, tables, book))

    def puzzle(
        self,
        *,
        seed: int = 1,
        plies: int | None = None,
        position: str | None = None,
        time: Seconds | None = None,
        nodes: int | None = None,
        memory: int = 1 << 30,
        threads: int = 1,
        solver: str | None = None,
        without: Iterable[str] = (),
        tables: bool = True,
        book: bool = True,
    ) -> Puzzle:
        """A position in which exactly one move wins; ``plies`` is the length of the win, if it matters.

        >>> game = Game("connect4:5x4")
        >>> puzzle = game.puzzle(seed=3)
        >>> analysis = game.position(puzzle.position).analyze()
        >>> [m.move for m in analysis.moves if m.outcome == "win"] == puzzle.best
        True
        """
        question = Limits(time, nodes, memory, threads, solver, without, tables, book).question(position, "distance")
        return Puzzle.of_json(self._native.puzzle(question, seed, plies))

    def review(
        self,
        moves: Iterable[Move],
        *,
        start: str | None = None,
        goal: Goal = "wdl",
        time: Seconds | None = None,
        nodes: int | None = None,
        memory: int = 1 << 30,
        threads: int = 1,
        solver: str | None = None,
        without: Iterable[str] = (),
        tables: bool = True,
        book: bool = True,
    ) -> Review:
        """A game looked back on: what every move kept or gave away.

        >>> Game("heap:5").review([2, 3]).sentence
        'First lost the win at move 1 (2), 1 would have kept it.'
        """
        question = Limits(time, nodes, memory, threads, solver, without, tables, book).question(None, goal)
        begun = self._native.start() if start is None else start
        return Review.of_json(self._native.review(begun, [str(m) for m in moves], question))

    def rules(self) -> dict[str, Any]:
        """The rules for people: goal, drawn steps, end, notation."""
        return cast("dict[str, Any]", json.loads(_ludex.rules(self.spec)))

    def openings(self) -> list[dict[str, Any]]:
        """What every opening is worth, by classes under symmetry, best first; from the game's table, or where the game is
        small.

        >>> [opening["outcome"] for opening in Game("mnk:3,3,3").openings()]
        ['draw', 'draw', 'draw']
        """
        return cast("list[dict[str, Any]]", json.loads(self._native.openings())["openings"])

    def complexity(self, *, samples: int = 1000, seed: int = 1, exact: int = 0) -> dict[str, Any]:
        """How large the game is: by random games, and exactly if it has at most ``exact`` positions."""
        return cast("dict[str, Any]", json.loads(self._native.complexity(samples, seed, exact)))

    def build_table(
        self,
        file: str | PathLike[str],
        *,
        goal: Goal = "distance",
        memory: int = 3 << 29,
        threads: int = 1,
    ) -> dict[str, Any]:
        """Solve every position and write them to a file. In the folder ``tables=`` of a game, the file that
        `table_name` names is found by itself."""
        return cast("dict[str, Any]", json.loads(_ludex.build_table(self._native, file, goal, memory, threads)))

    def build_book(
        self, file: str | PathLike[str], depth: int, *, memory: int = 1 << 30, threads: int = 1
    ) -> dict[str, Any]:
        """Solve every position of the first ``depth`` plies and write them to a file. The same call goes on with a build that was
        interrupted. In the folder ``tables=`` of a game, a book under the name that `table_name` gives is found by itself.

        >>> import pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "connect4-5x4.table"
        >>> Game("connect4:5x4").build_book(file, 3)["positions"]
        66
        >>> Game("connect4:5x4", tables=file.parent).position("1").solve().from_
        'book'
        """
        if depth < 1:
            raise ValueError(f"depth is {depth}, and a book has at least one ply")
        return cast("dict[str, Any]", json.loads(_ludex.build_book(self._native, file, depth, memory, threads)))

    def table_rows(
        self, file: str | PathLike[str], *, limit: int | None = None
    ) -> list[tuple[str, Side, Outcome, int | None]]:
        """Every position of a table or book, with the side to move, the outcome for it and the plies; or the first ``limit``. Of
        positions that the file does not distinguish, because a symmetry maps one to the other, one is listed."""
        if limit is not None and limit < 0:
            raise ValueError(f"limit is {limit}, and cannot be below 0")
        rows = _ludex.table_rows(self._native, file, limit)
        return cast("list[tuple[str, Side, Outcome, int | None]]", rows)

    def verify_table(
        self, file: str | PathLike[str], *, memory: int = 4 << 30, sample: int | None = None
    ) -> dict[str, Any]:
        """Derive every value of a table file again from its successors, or those of ``sample`` random positions."""
        return cast("dict[str, Any]", json.loads(_ludex.verify_table(self._native, file, memory, sample)))

    @property
    def table_name(self) -> str:
        """The name under which a table of this game is looked for.

        >>> Game("nex:3x3").table_name
        'nex-3x3.table'
        """
        return "".join(c if c.isascii() and c.isalnum() else "-" for c in self.spec) + ".table"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and type(self) is type(other) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash((type(self), self.spec))

    def __repr__(self) -> str:
        return f"ludex.Game({self.spec!r})"

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        # A game is not changed by what is done with it, and its copy would not know what its searches have learnt.
        return self

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[object, ...]]:
        db, tables = self._files
        return _game, (self.spec, None if db is None else str(Path(db)), None if tables is None else str(Path(tables)))


def _game(spec: str, db: str | None, tables: str | None) -> Game:
    return Game(spec, db=db, tables=tables)


class Position:
    """A position of a game.

    It is changed by `push` and `pop`; `play` makes another one. It is hashable by what it is now, so a position that is in
    a set or a key of a dictionary must not be pushed on.

    >>> position = Game("connect4").position("445")
    >>> position.push(5)
    >>> position.to_move, position.is_over, position.move_stack
    ('first', False, ['5'])
    >>> position.pop()
    '5'
    """

    __slots__ = ("_glance", "_stack", "_text", "game")

    #: The game it is a position of.
    game: Game

    def __init__(self, game: Game, text: str) -> None:
        self.game = game
        self._text = text
        self._stack: list[tuple[str, str]] = []
        self._glance: tuple[str, str, str | None, str | None, int] | None = None

    @property
    def text(self) -> str:
        """The canonical text.

        >>> Game("connect4:4x4").position("12").text
        '..../..../..../xo..'
        """
        return self._text

    def _state(self) -> tuple[str, str, str | None, str | None, int]:
        if self._glance is None:
            self._glance = self.game._native.state(self._text)
        return self._glance

    @property
    def to_move(self) -> Side:
        """Who is to move (at the end of the game: who would be)."""
        return cast("Side", self._state()[1])

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended for the side to move; None while it goes on."""
        return cast("Outcome | None", self._state()[2])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def winner(self) -> Side | None:
        """Who has won; None for a draw, and while the game goes on.

        >>> Game("connect4").position("4153").winner is None
        True
        >>> Game("heap:3").position(moves=[3]).winner
        'first'
        """
        return _winner(self.outcome, self.to_move)

    @property
    def why(self) -> str | None:
        """Why the game is over, in a sentence."""
        return self._state()[3]

    @property
    def max_plies(self) -> int:
        """Plies that can still be played, at most."""
        return self._state()[4]

    @property
    def legal_moves(self) -> list[str]:
        """The legal moves, smallest first; none once the game is over."""
        return self.game._native.moves(self._text)

    @property
    def move_stack(self) -> list[str]:
        """The moves that were pushed."""
        return [move for _, move in self._stack]

    def push(self, move: Move) -> None:
        """Make a move here.

        >>> position = Game("connect4").position()
        >>> position.push("9")
        Traceback (most recent call last):
        ludex._errors.LudexError: move 1: '9' is no column (columns are 1 to 7)
        """
        after = self.game._native.play(self._text, str(move))
        self._stack.append((self._text, str(move)))
        self._text, self._glance = after, None

    def pop(self) -> str:
        """Take the last move back, and return it."""
        if not self._stack:
            raise IndexError("no move was pushed")
        self._text, move = self._stack.pop()
        self._glance = None
        return move

    def play(self, move: Move) -> Position:
        """The position after a move; this one stays."""
        after = self.copy()
        after.push(move)
        return after

    def copy(self) -> Position:
        """The same position, to be changed on its own."""
        same = Position(self.game, self._text)
        same._stack, same._glance = self._stack.copy(), self._glance
        return same

    def solve(
        self,
        *,
        goal: Goal = "wdl",
        progress: Callable[[Progress], object] | None = None,
        time: Seconds | None = None,
        nodes: int | None = None,
        memory: int = 1 << 30,
        threads: int = 1,
        solver: str | None = None,
        without: Iterable[str] = (),
        tables: bool = True,
        book: bool = True,
    ) -> Verdict:
        """Who wins, and how soon with ``goal="distance"``.

        The interpreter is free while the search runs, and Ctrl-C ends it. ``progress`` is called several times a second.

        >>> verdict = Game("connect4").position("4453").solve(goal="distance")
        >>> verdict.outcome, verdict.plies, verdict.score
        ('loss', 36, -2)
        """
        question = Limits(time, nodes, memory, threads, solver, without, tables, book).question(self._text, goal)
        return Verdict.of_json(self.game._native.solve(question, reporter(progress)))

    def analyze(
        self,
        *,
        goal: Goal | None = None,
        progress: Callable[[Progress], object] | None = None,
        time: Seconds | None = None,
        nodes: int | None = None,
        memory: int = 1 << 30,
        threads: int = 1,
        solver: str | None = None,
        without: Iterable[str] = (),
        tables: bool = True,
        book: bool = True,
    ) -> Analysis:
        """Every legal move with its value, best first.

        >>> [(m.move, m.outcome) for m in Game("heap:6").position().analyze().moves]
        [('2', 'win'), ('1', 'loss'), ('3', 'loss')]
        """
        native = self.game._native
        asked = goal or cast("Goal", native.usual_goal())
        question = Limits(time, nodes, memory, threads, solver, without, tables, book).question(self._text, asked)
        return Analysis.of_json(native.analyze(question, reporter(progress)))

    def explain(
        self,
        *,
        goal: Goal | None = None,
        progress: Callable[[Progress], object] | None = None,
        time: Seconds | None = None,
        nodes: int | None = None,
        memory: int = 1 << 30,
        threads: int = 1,
        solver: str | None = None,
        without: Iterable[str] = (),
        tables: bool = True,
        book: bool = True,
    ) -> Explanation:
        """Why the position is worth what it is, in words, with a line of best play."""
        native = self.game._native
        asked = goal or cast("Goal", native.usual_goal())
        question = Limits(time, nodes, memory, threads, solver, without, tables, book).question(self._text, asked)
        return Explanation.of_json(native.explain(question, reporter(progress)))

    def choose(
        self,
        *,
        goal: Goal = "distance",
        progress: Callable[[Progress], object] | None = None,
        time: Seconds | None = None,
        nodes: int | None = None,
        memory: int = 1 << 30,
        threads: int = 1,
        solver: str | None = None,
        without: Iterable[str] = (),
        tables: bool = True,
        book: bool = True,
    ) -> Choice:
        """A move to play: exact where the limits allow, otherwise the one that looks best.

        >>> Game("heap:6").position().choose(time=1).best
        '2'
        """
        question = Limits(time, nodes, memory, threads, solver, without, tables, book).question(self._text, goal)
        return Choice.of_json(self.game._native.choose(question, reporter(progress)))

    def play_out(
        self,
        *,
        goal: Goal = "distance",
        time: Seconds | None = None,
        nodes: int | None = None,
        memory: int = 1 << 30,
        threads: int = 1,
        solver: str | None = None,
        without: Iterable[str] = (),
        tables: bool = True,
        book: bool = True,
    ) -> list[str]:
        """The moves of best play from here to the end of the game.

        >>> Game("heap:6").position().play_out()
        ['2', '1', '3']
        """
        question = Limits(time, nodes, memory, threads, solver, without, tables, book)
        position, line = Position(self.game, self._text), list[str]()
        while not position.is_over:
            verdict = Verdict.of_json(self.game._native.solve(question.question(position.text, goal), None))
            if not verdict.best:
                raise TimeoutError(f"{verdict.sentence} ({verdict.status} at {position.text})")
            for move in verdict.pv or verdict.best:
                position.push(move)
                line.append(move)
        return line

    def prove(
        self,
        *,
        effort: int = 1,
        time: Seconds | None = None,
        nodes: int | None = None,
        memory: int = 1 << 30,
        threads: int = 1,
        solver: str | None = None,
        without: Iterable[str] = (),
        tables: bool = True,
        book: bool = True,
    ) -> bytes:
        """A certificate of what the position is worth: a file that `ludex.check` and ``ludex check`` verify without search.

        >>> import ludex
        >>> ludex.check(Game("heap:6").position().prove()).valid
        True
        """
        question = Limits(time, nodes, memory, threads, solver, without, tables, book).question(self._text, "wdl")
        return self.game._native.prove(question, effort)

    def probe_table(self, file: str | PathLike[str]) -> dict[str, Any]:
        """What a table file says of the position and its moves."""
        return cast("dict[str, Any]", json.loads(_ludex.probe_table(self.game._native, file, self._text)))

    def facts(self) -> list[dict[str, Any]]:
        """What is worth knowing about the position besides its value."""
        return cast("list[dict[str, Any]]", json.loads(self.game._native.facts(self._text)))

    def perft(self, depth: int, *, what: str = "sequences") -> list[int]:
        """How many move ``sequences``, different ``positions``, or positions up to symmetry (``canonical``) there are after
        0, 1, … plies.

        >>> Game("connect4").position().perft(4)
        [1, 7, 49, 343, 2401]
        """
        return self.game._native.count(self._text, depth, what)

    def svg(self, analysis: Analysis | None = None) -> str:
        """The board as SVG, with the last move and, if an analysis is given, what every move is worth."""
        last = self._stack[-1] if self._stack else None
        return self.game._native.svg(self._text, last, [] if analysis is None else self._marks(analysis.moves))

    def _marks(self, moves: Sequence[Any]) -> list[tuple[str, str, str]]:
        clicks = dict(self.game._native.clicks(self._text))
        marks: dict[str, tuple[str, str, str]] = {}
        for m in moves:
            sign = {"win": "+", "loss": "-", "draw": "=", "unknown": "?"}[m.outcome]
            cells = clicks.get(m.move, [])
            if cells:
                marks.setdefault(cells[0], (cells[0], f"{sign}{m.plies or ''}", m.outcome))
        return list(marks.values())

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.game._native.picture(self._text)

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._text == other._text and self.game == other.game

    def __hash__(self) -> int:
        return hash((self.game.spec, self._text))

    def __getstate__(self) -> tuple[Game, str, list[tuple[str, str]]]:
        return self.game, self._text, self._stack.copy()

    def __setstate__(self, state: tuple[Game, str, list[tuple[str, str]]]) -> None:
        self.game, self._text, self._stack = state
        self._glance = None
