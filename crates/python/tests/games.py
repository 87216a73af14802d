"""Games written in Python, each with a twin in Rust."""

from __future__ import annotations

import ludex

Board = tuple[str, ...]

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Heap(ludex.OwnGame[int, int]):
    """A heap of counters: take one, two or three; who takes the last one wins."""

    def __init__(self, size: int = 21) -> None:
        self.size = size

    def start(self) -> int:
        return self.size

    def moves(self, position: int) -> list[int]:
        return [n for n in (1, 2, 3) if n <= position]

    def play(self, position: int, move: int) -> int:
        return position - move

    def outcome(self, position: int) -> ludex.Outcome | None:
        return "loss" if position == 0 else None

    def key(self, position: int) -> int:
        return position


class TicTacToe(ludex.OwnGame[Board, int]):
    """Three in a row on three by three."""

    def start(self) -> Board:
        return (".",) * 9

    def moves(self, position: Board) -> list[int]:
        return [i for i in range(9) if position[i] == "."]

    def play(self, position: Board, move: int) -> Board:
        stone = "x" if position.count("x") == position.count("o") else "o"
        return (*position[:move], stone, *position[move + 1 :])

    def outcome(self, position: Board) -> ludex.Outcome | None:
        if any(position[a] == position[b] == position[c] != "." for a, b, c in LINES):
            return "loss"
        return None if "." in position else "draw"

    def key(self, position: Board) -> int:
        return sum(".xo".index(stone) * 3**i for i, stone in enumerate(position))

    def move_text(self, position: Board, move: int) -> str:
        return f"{'abc'[move % 3]}{3 - move // 3}"

    def grid(self, position: Board) -> list[str]:
        return ["".join(position[r : r + 3]) for r in (0, 3, 6)]
