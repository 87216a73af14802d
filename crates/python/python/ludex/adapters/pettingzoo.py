"""PettingZoo: Ludex's games as AEC environments with action masks.

>>> from ludex.adapters.pettingzoo import env
>>> environment = env("connect4")
>>> environment.reset()
>>> observation, reward, termination, truncation, info = environment.last()
>>> observation["action_mask"].tolist()
[1, 1, 1, 1, 1, 1, 1]
>>> environment.step(3)
>>> environment.agent_selection
'second'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv

from .._answers import Side
from .._game import Game
from ._actions import Actions

_SIDES: tuple[Side, Side] = ("first", "second")
#: The longest text of a position of a board without rows of cells.
_TEXT = 128


def env(spec: str | Game, *, actions: Iterable[str] | None = None, render_mode: str | None = None) -> LudexEnv:
    """An environment of a game. ``actions`` lists the texts of all moves, where the moves of the start or the cells of the
    board are not all there are."""
    return LudexEnv(spec if isinstance(spec, Game) else Game(spec), actions, render_mode)


class LudexEnv(AECEnv[str, Any, Any]):  # type: ignore[misc,unused-ignore]
    """A game as an environment for agents ``first`` and ``second``.

    The observation is the board, as a plane of the agent's own stones, one of the other's and one of whatever else there
    is, or the bytes of the position's text where there is no board of rows; and a mask of the legal moves.
    """

    metadata = {"render_modes": ["ansi"], "name": "ludex_v0", "is_parallelizable": False}

    def __init__(self, game: Game, actions: Iterable[str] | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = game
        self.actions = Actions(game, actions)
        self.render_mode = render_mode
        self.possible_agents = list(_SIDES)
        self._start = game.position(seed=0)
        rows = self._start.text.split(" ")[0].split("/")
        self._board = set("".join(rows)) <= set(".xo") and len({len(row) for row in rows}) == 1
        shape = (len(rows), len(rows[0]), 3) if self._board else (_TEXT,)
        board = spaces.Box(0, 1 if self._board else 255, shape, numpy.int8 if self._board else numpy.uint8)
        mask = spaces.Box(0, 1, (len(self.actions),), numpy.int8)
        self.observation_spaces: dict[str, Any] = {a: spaces.Dict({"observation": board, "action_mask": mask}) for a in _SIDES}
        self.action_spaces: dict[str, Any] = {a: spaces.Discrete(len(self.actions)) for a in _SIDES}

    def observation_space(self, agent: str) -> Any:
        """What an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of all moves."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; ``seed`` makes the deal of games that begin with one."""
        self.position = self.game.position(seed=0 if seed is None else seed)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(_SIDES, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(_SIDES, 0.0)
        self.terminations = dict.fromkeys(_SIDES, False)
        self.truncations = dict.fromkeys(_SIDES, False)
        self.infos: dict[str, dict[str, Any]] = {side: {} for side in _SIDES}
        self.agent_selection = self.position.to_move

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees: the board and the mask of its legal moves, all zero when it is not its turn."""
        mask = numpy.zeros(len(self.actions), numpy.int8)
        if agent == self.position.to_move:
            mask[self.actions.legal(self.position)] = 1
        text = self.position.text
        if self._board:
            own, other = ("x", "o") if agent == "first" else ("o", "x")
            rows = text.split(" ")[0].split("/")
            planes = [[[cell == own, cell == other, cell not in ".xo"] for cell in row] for row in rows]
            return {"observation": numpy.array(planes, numpy.int8), "action_mask": mask}
        letters = numpy.zeros(_TEXT, numpy.uint8)
        raw = text.encode()[:_TEXT]
        letters[: len(raw)] = list(raw)
        return {"observation": letters, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Make a move. At the end the winner gets 1 and the other -1."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent whose game goes on has to move")
        self._cumulative_rewards[agent] = 0.0
        self.position.push(self.actions.text(int(action)))
        self._clear_rewards()
        if self.position.is_over:
            winner = self.position.winner
            for side in _SIDES:
                self.rewards[side] = 0.0 if winner is None else 1.0 if side == winner else -1.0
                self.terminations[side] = True
        self.agent_selection = self.position.to_move
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The board as text, with ``render_mode="ansi"``."""
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is to be closed."""
