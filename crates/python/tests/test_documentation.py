"""Every example in the package and its pages is run."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import pkgutil
from pathlib import Path

import pytest

import ludex

HERE = Path(__file__).resolve().parent
BOOK = HERE.parents[2] / "docs" / "src"
PAGES = [HERE.parent / "README.md", BOOK / "python.md", BOOK / "tutorials" / "programmer.md"]
NEEDS = {"ludex.adapters.openspiel": "pyspiel", "ludex.adapters.pettingzoo": "pettingzoo"}
MODULES = [m.name for m in pkgutil.walk_packages(ludex.__path__, "ludex.") if m.name.rsplit(".")[-1] != "_checker"]


@pytest.mark.parametrize("name", ["ludex", *MODULES])
def test_docstrings(name: str) -> None:
    if name in NEEDS and importlib.util.find_spec(NEEDS[name]) is None:
        pytest.skip(f"{NEEDS[name]} is not installed")
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path) -> None:
    result = doctest.testfile(str(page), module_relative=False)
    assert result.failed == 0 and result.attempted > 3


def test_everything_public_is_documented() -> None:
    undocumented = []
    for name in ludex.__all__:
        thing = getattr(ludex, name)
        if isinstance(thing, type):
            members = [f"{name}.{m}" for m, v in vars(thing).items() if m[0] != "_" and callable(v) and not v.__doc__]
            undocumented += members + ([] if thing.__doc__ else [name])
        elif inspect.isfunction(thing) and not thing.__doc__:
            undocumented.append(name)
    assert undocumented == []
