"""Games written in Python are worth what their twins in Rust are worth, and their faults are found."""

from __future__ import annotations

import gc
import pickle
import random
import weakref
from pathlib import Path
from typing import Any

import pytest
from games import Heap, TicTacToe

import ludex


def facts(verdict: ludex.Verdict) -> tuple[object, ...]:
    return verdict.outcome, verdict.plies, verdict.to_move, verdict.status


@pytest.mark.parametrize("solver", [None, "alphabeta", "dfpn", "pns", "aostar", "brute", "both"])
def test_a_heap_is_worth_what_the_heap_in_rust_is(solver: str | None) -> None:
    for size in (1, 2, 3, 4, 7, 12, 21):
        for goal in ("wdl", "distance"):
            own = Heap(size).position().solve(goal=goal, solver=solver)  # type: ignore[arg-type]
            twin = ludex.Game(f"heap:{size}").position().solve(goal=goal)  # type: ignore[arg-type]
            assert facts(own) == facts(twin), (size, goal)


def test_tic_tac_toe_is_worth_what_the_game_in_rust_is() -> None:
    own, twin, rng = TicTacToe(), ludex.Game("mnk:3,3,3"), random.Random(3)
    for _ in range(60):
        ours, theirs = own.position(), twin.position()
        for _ in range(rng.randint(0, 8)):
            if not ours.is_over:
                move = rng.choice(ours.legal_moves)
                ours.push(move)
                theirs.push(move)
        assert sorted(ours.legal_moves) == sorted(theirs.legal_moves)
        assert (ours.is_over, ours.winner, ours.to_move) == (theirs.is_over, theirs.winner, theirs.to_move)
        mine, yours = ours.analyze(), theirs.analyze()
        assert facts(mine) == facts(yours)
        assert {m.move: (m.outcome, m.plies) for m in mine.moves} == {m.move: (m.outcome, m.plies) for m in yours.moves}


def test_everything_else_works_too(tmp_path: Path) -> None:
    game = TicTacToe()
    assert ludex.faults_of(game) == [] and ludex.faults_of(Heap(30)) == []
    position = game.position(moves=["b2", "a1"])
    assert position.text == "moves:b2,a1" and pickle.loads(pickle.dumps(position)) == position
    assert len(position.play_out()) == 7 and position.explain().verdict
    assert position.choose(time=5).best in position.legal_moves
    assert game.position().perft(3) == [1, 9, 72, 504]
    asked = [position, position.play("b1"), position.play("c3")]
    signs = {"win": 1, "draw": 0, "loss": -1}
    batch = ludex.analyze_batch(asked, threads=2)
    assert batch.outcome.tolist() == [signs[p.solve().outcome] for p in asked]
    svg = position._repr_svg_()
    assert svg.startswith("<svg") and "first" in svg and "second" in svg
    assert "moves:" not in str(position)
    file = tmp_path / game.table_name
    assert game.build_table(file)["positions"] == 5478
    assert game.verify_table(file)["wrong"] == []
    with_table = TicTacToe()
    with_table.table_folder = str(tmp_path)
    answered = with_table.position(moves=["b2"]).solve(goal="distance")
    assert (answered.from_, answered.outcome) == ("table", "draw")
    assert len(game.table_rows(file)) == 5478
    book = tmp_path / "book"
    assert game.build_book(book, 2)["positions"] == 82 == len(game.table_rows(book))
    review = game.review(["b2", "b1"])
    assert [m.mark for m in review.moves] == ["best", "lost_draw"]
    assert game.puzzle(seed=2).best


def test_what_the_rules_raise_is_raised() -> None:
    class Broken(Heap):
        def play(self, position: int, move: int) -> int:
            if position == 7:
                raise ZeroDivisionError("seven")
            return position - move

    broken = Broken(12)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="seven"):
            broken.position().solve(goal="distance")
    with pytest.raises(ZeroDivisionError):
        broken.position("moves:3,2,1")
    assert broken.position("moves:3,3").solve().outcome == "win"
    assert ludex.faults_of(broken) == ["ZeroDivisionError: seven"]


def test_a_game_is_forgotten_with_its_positions() -> None:
    game = Heap(9)
    position = game.position()
    position.solve()
    seen = weakref.ref(game)
    del game, position
    gc.collect()
    assert seen() is None


class Mistaken(Heap):
    """A heap with one mistake."""

    def __init__(self, mistake: str) -> None:
        super().__init__(6)
        self.mistake = mistake
        self._calls = 0

    def moves(self, position: int) -> list[Any]:
        if self.mistake == "no moves" and position == 2:
            return []
        if self.mistake == "twice":
            return [1, 1]
        return super().moves(position)

    def play(self, position: int, move: int) -> Any:
        if self.mistake == "nothing":
            return None
        if self.mistake == "back":
            return 6
        return super().play(position, move)

    def outcome(self, position: int) -> Any:
        if self.mistake == "word" and position == 0:
            return "lost"
        return super().outcome(position)

    def key(self, position: int) -> Any:
        if self.mistake == "list":
            return [position]
        if self.mistake == "mixed":
            return min(position, 4)
        self._calls += 1
        return self._calls if self.mistake == "changing" else position

    def side(self, position: int) -> Any:
        return "third" if self.mistake == "side" else None


@pytest.mark.parametrize(
    ("mistake", "said"),
    [
        ("no moves", "empty"),
        ("twice", "more than one move with the text '1'"),
        ("nothing", "returns None"),
        ("back", "again"),
        ("word", "'lost'"),
        ("list", "cannot be hashed"),
        ("mixed", "key"),
        ("changing", "the same answer"),
        ("side", "'third'"),
    ],
)
def test_the_kit_tells_what_is_wrong(mistake: str, said: str) -> None:
    faults = ludex.faults_of(Mistaken(mistake))
    assert len(faults) == 1 and said in faults[0], faults


def test_the_kit_finds_positions_that_are_changed() -> None:
    class Careless(ludex.OwnGame[list[int], int]):
        def start(self) -> list[int]:
            return [5]

        def moves(self, position: list[int]) -> list[int]:
            return [1]

        def play(self, position: list[int], move: int) -> list[int]:
            position[0] -= move
            return position

        def outcome(self, position: list[int]) -> ludex.Outcome | None:
            return "loss" if position[0] <= 0 else None

        def key(self, position: list[int]) -> int:
            return position[0]

    assert "changes the position" in ludex.faults_of(Careless())[0]


def test_positions_that_cannot_be_hashed_are_as_right() -> None:
    class Lists(ludex.OwnGame[list[int], int]):
        def start(self) -> list[int]:
            return [3, 2, 1]

        def moves(self, position: list[int]) -> list[tuple[int, int]]:  # type: ignore[override]
            return [(i, n) for i, heap in enumerate(position) for n in range(1, heap + 1)]

        def play(self, position: list[int], move: tuple[int, int]) -> list[int]:  # type: ignore[override]
            after = position.copy()
            after[move[0]] -= move[1]
            return after

        def outcome(self, position: list[int]) -> ludex.Outcome | None:
            return None if any(position) else "loss"

        def key(self, position: list[int]) -> tuple[int, ...]:
            return tuple(sorted(position))

    game = Lists()
    assert ludex.faults_of(game) == []
    assert game.position().solve().outcome == "loss", "3 ^ 2 ^ 1 is zero"
    with pytest.raises(ValueError, match="whole numbers"):
        game.build_table("unused.table")


def test_a_key_that_mixes_up_positions_is_found() -> None:
    class Mixed(Heap):
        def key(self, position: int) -> int:
            return {5: 4}.get(position, position)

    assert ludex.faults_of(Mixed(10)) == ["5 and 4 have the same key 4, but one is worth win in 3 and the other loss in 2"]


def test_a_game_without_end_is_an_error() -> None:
    class Endless(Heap):
        def play(self, position: int, move: int) -> int:
            return position

        def key(self, position: int) -> int:
            self.count = getattr(self, "count", 0) + 1
            return self.count

    with pytest.raises(ValueError, match="bring the end nearer"):
        Endless(5).position().solve()
