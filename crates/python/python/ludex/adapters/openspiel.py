"""OpenSpiel: Ludex's games as OpenSpiel games, and OpenSpiel's games for the judge.

>>> import pyspiel
>>> from ludex.adapters.openspiel import load_game, own_game
>>> state = load_game("heap:6").new_initial_state()
>>> state.legal_actions()
[0, 1, 2]
>>> own_game(pyspiel.load_game("tic_tac_toe"), key=str).position().solve().outcome
'draw'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pyspiel

from .._answers import Outcome, Side
from .._game import Game
from .._own import OwnGame
from ._actions import Actions

_SIDES: tuple[Side, Side] = ("first", "second")


def load_game(spec: str, *, actions: Iterable[str] | None = None) -> LudexGame:
    """A game of Ludex for OpenSpiel. ``actions`` lists the texts of all moves, where the moves of the start or the cells of
    the board are not all there are."""
    return LudexGame(Game(spec), actions)


class LudexGame(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    """A game of Ludex as OpenSpiel knows games."""

    def __init__(self, game: Game, actions: Iterable[str] | None = None) -> None:
        self.ludex = game
        self.actions = Actions(game, actions)
        start = game.position(seed=0)
        short_name = "ludex_" + "".join(c if c.isalnum() else "_" for c in game.spec)
        kind = pyspiel.GameType(
            short_name=short_name,
            long_name=game.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=False,
            parameter_specification={},
        )
        sizes = pyspiel.GameInfo(
            num_distinct_actions=len(self.actions),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max(start.max_plies, 1),
        )
        super().__init__(kind, sizes, {})

    def __deepcopy__(self, memo: object) -> LudexGame:
        # OpenSpiel copies a state with everything it holds.
        return self

    def new_initial_state(self) -> LudexState:
        """The start."""
        return LudexState(self)

    def deserialize_state(self, text: str) -> LudexState:
        """The state that `LudexState.serialize` wrote down."""
        state = self.new_initial_state()
        for action in text.split():
            state.apply_action(int(action))
        return state


class LudexState(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """A position of Ludex as OpenSpiel knows states."""

    def __init__(self, game: LudexGame) -> None:
        super().__init__(game)
        self._game = game
        self.position = game.ludex.position()

    def current_player(self) -> int:
        """0 or 1; at the end OpenSpiel's own number for that."""
        if self.position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return _SIDES.index(self.position.to_move)

    def _legal_actions(self, player: int) -> list[int]:
        return self._game.actions.legal(self.position)

    def _apply_action(self, action: int) -> None:
        self.position.push(self._game.actions.text(action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self._game.actions.text(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """What each side has got: 1, 0 or -1."""
        winner = self.position.winner
        return [0.0, 0.0] if winner is None else [1.0 if side == winner else -1.0 for side in _SIDES]

    def observation_string(self, player: int) -> str:
        """The text of the position, which both sides see."""
        return self.position.text

    def serialize(self) -> str:
        """The actions so far, a line each, as OpenSpiel's own games write them."""
        return "".join(f"{action}\n" for action in self.history())

    def __str__(self) -> str:
        return self.position.text


class _Seen:
    """A state of OpenSpiel with the side to move, which OpenSpiel forgets at the end of a game."""

    __slots__ = ("side", "state")

    state: Any
    side: Side

    def __init__(self, state: Any, side: Side) -> None:
        self.state, self.side = state, side

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Seen) and self.state.history() == other.state.history()

    def __hash__(self) -> int:
        return hash(tuple(self.state.history()))

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return repr(self.state.history_str())

    def __deepcopy__(self, memo: object) -> _Seen:
        return _Seen(self.state.clone(), self.side)


class _OpenSpielGame(OwnGame[_Seen, int]):
    """A game of OpenSpiel."""

    def __init__(self, game: Any, key: Callable[[Any], Any] | None) -> None:
        kind = game.get_type()
        for wanted, found in (
            (pyspiel.GameType.Dynamics.SEQUENTIAL, kind.dynamics),
            (pyspiel.GameType.ChanceMode.DETERMINISTIC, kind.chance_mode),
            (pyspiel.GameType.Information.PERFECT_INFORMATION, kind.information),
            (pyspiel.GameType.Utility.ZERO_SUM, kind.utility),
        ):
            if wanted != found:
                raise ValueError(f"{kind.short_name} is {found.name}, and the judge takes games that are {wanted.name}")
        if game.num_players() != 2:
            raise ValueError(f"{kind.short_name} has {game.num_players()} players, and the judge takes games of two")
        self.name = str(game)
        self._game, self._key = game, key

    def start(self) -> _Seen:
        state = self._game.new_initial_state()
        return _Seen(state, _SIDES[state.current_player()])

    def moves(self, position: _Seen) -> list[int]:
        return list(position.state.legal_actions())

    def play(self, position: _Seen, move: int) -> _Seen:
        after = position.state.child(move)
        other = _SIDES[1 - _SIDES.index(position.side)]
        return _Seen(after, other if after.is_terminal() else _SIDES[after.current_player()])

    def outcome(self, position: _Seen) -> Outcome | None:
        if not position.state.is_terminal():
            return None
        got = position.state.returns()[_SIDES.index(position.side)]
        return "win" if got > 0 else "loss" if got < 0 else "draw"

    def key(self, position: _Seen) -> Any:
        return tuple(position.state.history()) if self._key is None else self._key(position.state)

    def side(self, position: _Seen) -> Side:
        return position.side

    def move_text(self, position: _Seen, move: int) -> str:
        return str(move)


def own_game(game: Any, *, key: Callable[[Any], Any] | None = None) -> OwnGame[Any, int]:
    """A game of OpenSpiel for the judge: sequential, deterministic, of perfect information, zero-sum, for two.

    Moves are the numbers of OpenSpiel's actions. Without ``key`` two positions are the same only if they have the same
    history, which is always right and slow. ``key=str`` takes the text of a state, for games whose text shows everything
    that matters, such as ``tic_tac_toe`` and ``connect_four``.
    """
    return _OpenSpielGame(game, key)
