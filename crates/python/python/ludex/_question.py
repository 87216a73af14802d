"""What is asked of the judge, and what answering it may cost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from ._answers import Goal, Progress

#: A limit on time: seconds, or a ``timedelta``.
Seconds = float | int | timedelta


@dataclass(frozen=True)
class Limits:
    """What an answer may cost, and how it is found. Every method that asks the judge takes these by name."""

    #: Seconds by the clock; None: as long as it takes.
    time: Seconds | None = None
    #: Positions searched.
    nodes: int | None = None
    #: Bytes for tables and trees.
    memory: int = 1 << 30
    #: Threads.
    threads: int = 1
    #: The search by name; None: the one that suits the game.
    solver: str | None = None
    #: Rules to leave out, by name.
    without: Iterable[str] = ()
    #: Whether table files may answer.
    tables: bool = True
    #: Whether opening books may answer.
    book: bool = True

    def question(self, position: str | None, goal: Goal, seed: int | None = None) -> str:
        """The question as the extension module reads it."""
        time = self.time.total_seconds() if isinstance(self.time, timedelta) else self.time
        asked: dict[str, Any] = {
            "position": position,
            "seed": seed,
            "goal": goal,
            "budget": {"time": time, "nodes": self.nodes, "memory": self.memory, "threads": self.threads},
            "solver": self.solver,
            "without": list(self.without),
            "tables": self.tables,
            "book": self.book,
        }
        return json.dumps(asked)


def reporter(progress: Callable[[Progress], object] | None) -> Callable[[str], object] | None:
    """A callback for the extension module, which tells of progress as JSON."""
    if progress is None:
        return None
    told = progress
    return lambda line: told(Progress.of_json(line))
