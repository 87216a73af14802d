"""The judge of games: who wins, how, and how soon.

>>> import ludex
>>> position = ludex.Game("connect4").position("4453")
>>> position.solve(goal="distance").sentence
'Yellow wins in 36 with perfect play.'
>>> position.analyze().best
['3', '6', '7']
"""

from __future__ import annotations

import json
from os import PathLike
from typing import Any, cast

from . import _ludex
from ._answers import (
    Analysis,
    Choice,
    Explanation,
    Goal,
    KnownOutcome,
    MoveValue,
    Outcome,
    Ply,
    Progress,
    Puzzle,
    Review,
    Reviewed,
    Side,
    Source,
    Status,
    Value,
    Verdict,
    Worth,
)
from ._batch import NONE, UNKNOWN, Batch, analyze_batch
from ._certificates import Checked, check
from ._dataset import dataset_table, dataset_to_parquet, read_dataset
from ._errors import LudexError
from ._game import Game, Position
from ._kit import faults_of
from ._own import OwnGame

__version__: str = _ludex.__version__

__all__ = [
    "NONE",
    "UNKNOWN",
    "Analysis",
    "Batch",
    "Checked",
    "Choice",
    "Explanation",
    "Game",
    "Goal",
    "KnownOutcome",
    "LudexError",
    "MoveValue",
    "Outcome",
    "OwnGame",
    "Ply",
    "Position",
    "Progress",
    "Puzzle",
    "Review",
    "Reviewed",
    "Side",
    "Source",
    "Status",
    "Value",
    "Verdict",
    "Worth",
    "__version__",
    "analyze_batch",
    "check",
    "dataset_table",
    "dataset_to_parquet",
    "faults_of",
    "games",
    "read_dataset",
    "tables",
]


def games() -> list[dict[str, Any]]:
    """The families of games: name, title, a sentence about each, the form of its specs, and examples.

    >>> [family["name"] for family in games()][:3]
    ['connect4', 'collapsi', 'mnk']
    """
    return [dict(family) for family in _ludex.families()]


def tables(folder: str | PathLike[str] | None = None) -> list[dict[str, Any]]:
    """The tables and books at hand: those that come with the program, and those in a folder.

    >>> any(table["game"] == "connect4" and table["kind"] == "book" for table in tables())
    True
    """
    return cast("list[dict[str, Any]]", json.loads(_ludex.tables(folder)))
