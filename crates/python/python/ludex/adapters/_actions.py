"""Moves as numbers: what libraries for learning call the action space."""

from __future__ import annotations

from collections.abc import Iterable

from .._game import Game, Position


class Actions:
    """A fixed list of moves, by their numbers.

    >>> from ludex import Game
    >>> actions = Actions(Game("connect4"))
    >>> len(actions), actions.text(3), actions.legal(Game("connect4").position("444444"))
    (7, '4', [0, 1, 2, 4, 5, 6])
    """

    def __init__(self, game: Game, texts: Iterable[str] | None = None) -> None:
        self.game = game
        #: The texts of all moves, in the order of their numbers.
        self.texts = list(texts) if texts is not None else _all_moves(game)
        self._numbers = {text: number for number, text in enumerate(self.texts)}
        if len(self._numbers) != len(self.texts):
            raise ValueError("a move is in the list of actions twice")

    def __len__(self) -> int:
        return len(self.texts)

    def text(self, number: int) -> str:
        """The text of a move."""
        return self.texts[number]

    def number(self, text: str) -> int:
        """The number of a move."""
        try:
            return self._numbers[text]
        except KeyError:
            raise ValueError(
                f"the move {text!r} of {self.game.spec} is not among the {len(self)} actions: give all moves as actions=[...]"
            ) from None

    def legal(self, position: Position) -> list[int]:
        """The numbers of the legal moves, smallest first."""
        return sorted(self.number(text) for text in position.legal_moves)


def _all_moves(game: Game) -> list[str]:
    """The moves of the start, and all cells where moves are cells."""
    moves = game.position(seed=0).legal_moves
    cells = [cell for row in game.cells or [] for cell in row]
    return sorted(cells) if cells and set(moves) <= set(cells) else moves
