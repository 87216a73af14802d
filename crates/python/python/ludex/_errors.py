"""The one error of Ludex."""

from __future__ import annotations


class LudexError(ValueError):
    """What was wrong, and what would be right.

    >>> import ludex
    >>> try:
    ...     ludex.Game("connect4").position("8")
    ... except ludex.LudexError as error:
    ...     print(f"{error.code}: {error.message}")
    bad_position: '8' (number 1 of '8') is no column of connect4
    """

    #: A stable word for programs, the same as in the machine interface.
    code: str
    #: What was wrong, naming it.
    message: str
    #: What would be right.
    hint: str

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(code, message, hint)
        self.code, self.message, self.hint = code, message, hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message
