"""Many positions at once are worth what they are worth one by one."""

import random

import pytest

import ludex


def some_positions(spec: str, count: int, plies: int) -> list[ludex.Position]:
    game, rng = ludex.Game(spec), random.Random(7)
    found: list[ludex.Position] = []
    while len(found) < count:
        position = game.position()
        for _ in range(rng.randint(0, plies)):
            if not position.is_over:
                position.push(rng.choice(position.legal_moves))
        found.append(position)
    return found


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("spec", "plies"), [("connect4", 12), ("connect4:5x4", 20), ("mnk:3,3,3", 9), ("heap:21", 20), ("nex:3x3", 9)]
)
def test_a_batch_is_a_loop(spec: str, plies: int, threads: int) -> None:
    positions = some_positions(spec, 40 if spec == "connect4" else 80, plies)
    if spec == "connect4":
        positions = [p for p in positions if len(p.move_stack) < 8 or p.is_over]
    batch = ludex.analyze_batch(positions, threads=threads)
    assert len(batch) == len(positions) and not batch.errors
    signs = {1: "win", 0: "draw", -1: "loss"}
    for i, position in enumerate(positions):
        analysis = position.analyze()
        assert batch.unsolved[i] == 0
        assert signs[int(batch.outcome[i])] == analysis.outcome
        assert int(batch.plies[i]) == (ludex.NONE if analysis.plies is None else analysis.plies)
        assert int(batch.score[i]) == (ludex.NONE if analysis.score is None else analysis.score)
        assert batch.moves(i) == position.legal_moves
        assert batch.scores(i) == {m: analysis.scores[m] for m in position.legal_moves}
        assert batch.best(i) == sorted(analysis.best, key=position.legal_moves.index)
        assert ("first", "second")[int(batch.to_move[i])] == position.to_move


def test_batches_of_outcomes_alone() -> None:
    positions = some_positions("mnk:3,3,3", 50, 9)
    batch = ludex.analyze_batch(positions, goal="wdl")
    signs = {"win": 1, "draw": 0, "loss": -1}
    assert batch.outcome.tolist() == [signs[p.solve().outcome] for p in positions]


def test_a_bad_position_is_told_and_the_others_go_on() -> None:
    batch = ludex.Game("connect4").analyze_batch(["44", "99", "45"])
    assert batch.unsolved.tolist() == [0, 2, 0]
    assert list(batch.errors) == [1] and batch.errors[1].code == "bad_position"
    assert batch.outcome[1] == ludex.UNKNOWN and batch.moves(1) == []
    with pytest.raises(IndexError):
        batch.moves(3)
    with pytest.raises(ValueError, match="one game"):
        ludex.analyze_batch([ludex.Game("heap:3").position(), ludex.Game("heap:4").position()])


def test_limits_are_for_each_position() -> None:
    batch = ludex.Game("mnk:7,7,5").analyze_batch(["", ""], nodes=100)
    assert batch.unsolved.tolist() == [1, 1] and batch.outcome.tolist() == [ludex.UNKNOWN] * 2


def test_arrow() -> None:
    pytest.importorskip("pyarrow")
    table = ludex.Game("connect4").analyze_batch(["44", "445"]).to_arrow()
    assert table.num_rows == 2 and len(table["moves"][0]) == 7
