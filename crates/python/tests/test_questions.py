"""Questions: verdicts, limits, progress, Ctrl-C, and an interpreter that stays free."""

import _thread
import json
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

import ludex

HARD = "mnk:9,9,5"


def test_a_verdict_has_the_fields_of_the_machine_interface() -> None:
    verdict = ludex.Game("connect4").position("4453").solve(goal="distance")
    assert (verdict.outcome, verdict.plies, verdict.score, verdict.from_) == ("loss", 36, -2, "book")
    assert verdict.is_solved and verdict.winner == "second" and verdict.lower == verdict.upper
    assert verdict.best == verdict.pv[:1]
    assert json.loads(verdict.to_json()) == verdict.to_dict()
    assert ludex.Verdict.of(verdict.to_dict()) == verdict
    later = ludex.Verdict.of(verdict.to_dict() | {"novelty": 1})
    assert later == verdict and later.to_dict()["novelty"] == 1


def test_it_answers_as_the_program_does() -> None:
    program = shutil.which("ludex")
    assert program, "the wheel brings the program"
    for spec, position in [("connect4", "44"), ("mnk:3,3,3", "x../.../..."), ("heap:21", "13"), ("nex:3x3", "")]:
        line = subprocess.run(
            [program, "analyze", spec, position, "--json", "--no-db"], capture_output=True, text=True, check=True
        ).stdout
        told, found = json.loads(line), ludex.Game(spec).position(position or None).analyze().to_dict()
        for answer in (told, found):
            answer["stats"].pop("seconds")
            for iteration in answer["stats"]["iterations"]:
                iteration.pop("seconds")
        assert told == found


def test_limits_hold() -> None:
    begin = time.monotonic()
    verdict = ludex.Game(HARD).position().solve(time=0.3)
    assert verdict.status == "out_of_time" and verdict.outcome == "unknown"
    assert time.monotonic() - begin < 3
    assert ludex.Game(HARD).position().solve(nodes=1000).status == "out_of_nodes"


def test_progress_is_told_on_the_calling_thread() -> None:
    told: list[tuple[ludex.Progress, int]] = []
    ludex.Game(HARD).position().solve(time=0.7, progress=lambda p: told.append((p, threading.get_ident())))
    assert told and told[-1][0].nodes > 0
    assert {thread for _, thread in told} == {threading.get_ident()}


def test_what_a_callback_raises_ends_the_search() -> None:
    def enough(progress: ludex.Progress) -> None:
        raise RuntimeError("enough")

    begin = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        ludex.Game(HARD).position().solve(time=60, progress=enough)
    assert time.monotonic() - begin < 20


def test_ctrl_c_ends_a_search() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, _thread.interrupt_main).start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            ludex.Game(HARD).position().solve(time=60)
        assert time.monotonic() - begin < 20
        threading.Timer(0.3, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            ludex.Game(HARD).analyze_batch(["", ""], threads=2, time=60)
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_interpreter_is_free_while_a_search_runs() -> None:
    ticks: list[float] = []
    search = threading.Thread(target=lambda: ludex.Game(HARD).position().solve(time=1))
    search.start()
    while search.is_alive():
        ticks.append(time.monotonic())
        time.sleep(0.01)
    assert len(ticks) > 10, "the other thread stood still"
    pauses = [later - earlier for earlier, later in zip(ticks, ticks[1:])]
    assert max(pauses) < 0.9, "a tick waited for the search"


def test_explanations_choices_lines_puzzles_and_reviews() -> None:
    position = ludex.Game("connect4:5x4").position()
    explained = position.explain()
    assert explained.verdict and explained.line and explained.line[0].by == "first"
    assert position.choose(time=2).best in position.legal_moves
    assert ludex.Game(HARD).position().choose(time=0.3).best in ludex.Game(HARD).position().legal_moves
    line = position.play_out()
    assert position.game.position(moves=line).is_over
    puzzle = position.game.puzzle(seed=5, time=20)
    wins = [m for m in position.game.position(puzzle.position).analyze().moves if m.outcome == "win"]
    assert [m.move for m in wins] == puzzle.best
    review = ludex.Game("heap:5").review(["2", "3"])
    assert [m.mark for m in review.moves] == ["lost_win", "best"] and review.moves[0].better == "1"
    assert ludex.Game("connect4").rules()["title"] == "Connect Four"
    assert ludex.Game("heap:21").complexity(exact=1000)["positions"] == 42, "21 to 0 counters, most with either side to move"


def test_databases_and_tables(tmp_path: Path) -> None:
    spec = "mnk:3,3,3"
    kept = ludex.Game(spec, db=tmp_path / "verdicts.db")
    first = kept.position().solve(goal="distance")
    assert first.from_ == "search" and kept.position().solve(goal="distance").from_ == "cache"
    game = ludex.Game(spec)
    file = tmp_path / game.table_name
    built = game.build_table(file, threads=2)
    assert built["positions"] > 700 and game.verify_table(file)["wrong"] == []
    with_table = ludex.Game(spec, tables=tmp_path)
    answered = with_table.position().solve(goal="distance")
    assert (answered.from_, answered.outcome) == ("table", "draw")
    assert with_table.position().probe_table(file)["outcome"] == "draw"
    assert any(table["file"] == file.name for table in ludex.tables(tmp_path))
    rows = game.table_rows(file)
    assert len(rows) == built["positions"] == len({row[0] for row in rows}) and game.table_rows(file, limit=5) == rows[:5]
    for text, side, outcome, plies in rows:
        position = game.position(text)
        assert position.to_move == side
        if not position.is_over:
            verdict = position.solve(goal="distance", tables=False)
            assert (verdict.outcome, verdict.plies) == (outcome, plies)
    with pytest.raises(ValueError, match="below 0"):
        game.table_rows(file, limit=-1)
    with pytest.raises(ludex.LudexError, match="gone"):
        game.table_rows(tmp_path / "gone.table")


def test_books(tmp_path: Path) -> None:
    game = ludex.Game("mnk:4,4,3")
    file = tmp_path / game.table_name
    built = game.build_book(file, 2, threads=2)
    rows = game.table_rows(file)
    assert built["positions"] == len(rows) > 20 and built["plies"] == 2
    for text, _, outcome, plies in rows:
        verdict = game.position(text).solve(goal="distance")
        assert (verdict.outcome, verdict.plies) == (outcome, plies)
    assert ludex.Game("mnk:4,4,3", tables=tmp_path).position().solve(goal="distance").from_ == "book"
    with pytest.raises(ludex.LudexError, match="deal"):
        ludex.Game("collapsi").build_book(tmp_path / "no.table", 2)
    with pytest.raises(ValueError, match="at least one ply"):
        game.build_book(tmp_path / "no.table", 0)


def test_certificates_are_checked_by_the_other_checker(tmp_path: Path) -> None:
    proof = ludex.Game("connect4:4x4").position().prove()
    checked = ludex.check(proof)
    assert checked.valid and checked.game == "connect4:4x4" and checked.claims
    file = tmp_path / "proof.ludex"
    file.write_bytes(proof[:-5])
    assert not ludex.check(file).valid
