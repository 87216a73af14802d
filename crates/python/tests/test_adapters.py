"""Adapters, against the libraries they are for."""

from __future__ import annotations

import random

import pytest

import ludex
from ludex.adapters._actions import Actions


def test_moves_as_numbers() -> None:
    game = ludex.Game("mnk:3,3,3")
    actions = Actions(game)
    assert len(actions) == 9 and [actions.number(actions.text(i)) for i in range(9)] == list(range(9))
    with pytest.raises(ValueError, match="actions="):
        Actions(game, ["a1"]).legal(game.position())


def test_pettingzoo() -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from ludex.adapters.pettingzoo import env

    for spec in ("connect4", "mnk:3,3,3", "heap:21", "hex:3x3"):
        api_test(env(spec), num_cycles=100, verbose_progress=False)
    played = env("connect4", render_mode="ansi")
    played.reset()
    for move in (3, 3, 2, 2, 4, 4, 5):
        played.step(move)
    assert played.rewards == {"first": 1.0, "second": -1.0} and all(played.terminations.values())
    assert played.render()


def test_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import minimax

    from ludex.adapters.openspiel import load_game, own_game

    ours, theirs, rng = load_game("connect4"), pyspiel.load_game("connect_four"), random.Random(1)
    for _ in range(20):
        mine, other = ours.new_initial_state(), theirs.new_initial_state()
        while not other.is_terminal():
            assert mine.current_player() == other.current_player() and not mine.is_terminal()
            assert mine.legal_actions() == other.legal_actions()
            action = rng.choice(mine.legal_actions())
            mine.apply_action(action)
            other.apply_action(action)
        assert mine.is_terminal() and mine.returns() == other.returns()
        assert mine.history() == other.history()
        assert mine.serialize() == other.serialize()
        assert str(ours.deserialize_state(mine.serialize())) == str(mine) == str(mine.clone())
    value, _ = minimax.alpha_beta_search(load_game("mnk:3,3,3"))
    assert value == 0.0
    tic_tac_toe = own_game(pyspiel.load_game("tic_tac_toe"), key=str)
    analysis = tic_tac_toe.position(moves=[4]).analyze()
    edges = {m.move for m in analysis.moves if m.outcome == "loss"}
    assert analysis.outcome == "draw" and edges == {"1", "3", "5", "7"}
    small = pyspiel.load_game("connect_four(rows=4,columns=4)")
    assert own_game(small, key=str).position().solve(time=120).outcome == ludex.Game("connect4:4x4").position().solve().outcome
    with pytest.raises(ValueError, match="CHANCE|chance|STOCHASTIC"):
        own_game(pyspiel.load_game("backgammon"))
