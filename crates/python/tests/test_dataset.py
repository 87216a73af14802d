"""Datasets that the program writes are read back, with and without PyArrow."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import ludex
import pytest

PROGRAM = shutil.which("ludex", path=str(Path(sys.executable).parent)) or "ludex"


def write(folder: Path, name: str, *more: str) -> Path:
    order = ["dataset", "mnk:3,3,3", "--positions", "200", "--seed", "5", "--split", "25%", *more]
    subprocess.run([PROGRAM, *order, "--out", name], cwd=folder, check=True, capture_output=True)
    return folder / name


def test_rows_are_what_the_judge_says(tmp_path: Path) -> None:
    game = ludex.Game("mnk:3,3,3")
    rows = list(ludex.read_dataset(write(tmp_path, "a.jsonl")))
    assert len(rows) == 200
    for row in rows:
        analysis = game.position(row["position"]).analyze(goal="distance")
        assert (row["outcome"], row["plies"], row["score"]) == (analysis.outcome, analysis.plies, analysis.score)
        assert sorted(row["best"]) == sorted(analysis.best)
        assert {m["move"]: m["score"] for m in row["moves"]} == analysis.scores
    train, test = (list(ludex.read_dataset(tmp_path / "a.jsonl", split)) for split in ("train", "test"))
    assert len(train) + len(test) == 200 and 0 < len(test) < len(train)


def test_arrow_and_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    path = write(tmp_path, "a.jsonl.zst", "--nodes", "20", "--no-table")
    rows = list(ludex.read_dataset(path))
    table = ludex.dataset_table(path)
    assert table.num_rows == len(rows) == 200
    for row, again in zip(rows, table.to_pylist()):
        assert all(again[name] == row.get(name) for name in again if name not in ("moves", "lower", "upper"))
        assert again["lower"] == row.get("lower") and again["upper"] == row.get("upper")
        assert [m["move"] for m in again["moves"]] == [m["move"] for m in row["moves"]]
    assert any(row["status"] == "out_of_nodes" and row["lower"] for row in rows)
    count = ludex.dataset_to_parquet(path, tmp_path / "a.parquet", split="test")
    assert pq.read_table(tmp_path / "a.parquet").equals(ludex.dataset_table(path, split="test"))
    assert 0 < count < 200


@pytest.mark.parametrize("text", ["", "{}", "[]", "{\"type\":\"verdict\"}", "not json"])
def test_what_is_no_dataset_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.jsonl").write_text(text + "\n")
    with pytest.raises(ludex.LudexError, match="line 1"):
        list(ludex.read_dataset(tmp_path / "bad.jsonl"))
    with pytest.raises(ludex.LudexError, match="JSON lines"):
        list(ludex.read_dataset(tmp_path / "bad.csv"))
    with pytest.raises(ludex.LudexError, match="part"):
        list(ludex.read_dataset(tmp_path / "bad.jsonl", split="validation"))
