"""Checking certificates with the checker that is written in Python."""

from __future__ import annotations

import io
from dataclasses import dataclass
from os import PathLike
from typing import Any

from . import _checker


@dataclass(frozen=True)
class Checked:
    """What the checker says of a certificate."""

    #: Whether it proves what it claims.
    valid: bool
    #: The spec of the game.
    game: str
    #: The position that it is about.
    position: str
    #: What it claims; proved only if it is valid.
    claims: list[str]
    #: Why it proves nothing, or why the checker gave up.
    fault: str


def check(certificate: bytes | str | PathLike[str], *, seconds: float = 6 * 3600) -> Checked:
    """Check a certificate, given as its bytes or as the name of its file.

    The checker is the second one, in pure Python and written from the definition of the format alone: it shares no code
    with the program that wrote the certificate, and never searches.

    >>> import ludex
    >>> proof = ludex.Game("mnk:3,3,3").position().prove()
    >>> check(proof).valid
    True
    >>> check(proof[:-9]).valid
    False
    """
    source = io.BytesIO(certificate) if isinstance(certificate, bytes) else certificate
    result: Any = _checker.check(source, seconds)
    return Checked(result.valid, result.game, result.position, result.claims, result.fault)
