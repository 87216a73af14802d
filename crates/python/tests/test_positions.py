"""Positions: moves, ends, texts, and what Python expects of a value."""

import copy
import pickle
import random

import pytest

import ludex

SPECS = ["connect4", "connect4:4x4", "mnk:3,3,3", "nex:3x3", "hex:3x3", "heap:21", "seven:4"]


@pytest.mark.parametrize("spec", SPECS)
def test_random_games_come_to_an_end_and_can_be_taken_back(spec: str) -> None:
    game, rng = ludex.Game(spec), random.Random(1)
    for _ in range(5):
        position = game.position()
        texts = [position.text]
        while not position.is_over:
            assert position.legal_moves and position.winner is None
            position.push(rng.choice(position.legal_moves))
            texts.append(position.text)
        assert position.legal_moves == []
        assert len(position.move_stack) == len(texts) - 1
        again = game.position(moves=position.move_stack)
        assert again == position and hash(again) == hash(position)
        while texts:
            assert position.text == texts.pop()
            if texts:
                position.pop()
        with pytest.raises(IndexError):
            position.pop()


def test_a_position_is_a_value() -> None:
    position = ludex.Game("connect4").position("4453")
    assert {position: 1}[ludex.Game("connect4").position("4453")] == 1
    for same in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position)), position.copy()):
        assert same == position and same.legal_moves == position.legal_moves
    other = position.play(4)
    assert other != position and other.move_stack == ["4"] and position.move_stack == []
    assert pickle.loads(pickle.dumps(other)).pop() == "4"
    assert position != ludex.Game("connect4:8x7").position("4453")
    assert pickle.loads(pickle.dumps(position.game)) == position.game


def test_pictures() -> None:
    position = ludex.Game("connect4").position("445").play(5)
    svg = position._repr_svg_()
    assert svg.startswith("<svg") and "last" in svg
    marked = ludex.Game("mnk:3,3,3").position()
    assert marked.svg(marked.analyze()).count("draw") >= 9
    assert "x" in str(position) or "X" in str(position)


def test_errors_name_what_is_wrong_and_what_is_right() -> None:
    with pytest.raises(ludex.LudexError, match="there is no game 'chess'") as caught:
        ludex.Game("chess")
    assert caught.value.code == "bad_spec" and "connect4" in caught.value.hint
    with pytest.raises(ludex.LudexError) as caught:
        ludex.Game("mnk:3,3,3").position("xxx/xxx/xxx")
    assert caught.value.code == "bad_position"
    with pytest.raises(ludex.LudexError) as caught:
        ludex.Game("connect4").position().solve(threads=0)
    assert caught.value.code == "bad_threads"
    with pytest.raises(ludex.LudexError) as caught:
        ludex.Game("connect4").position().solve(solver="magic")
    assert caught.value.code == "unknown_solver"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(ludex.LudexError, match="deal"):
        ludex.Game("collapsi").position()
    assert ludex.Game("collapsi").position(seed=7).legal_moves
