"""Prints mean time and nodes per position of Ludex, BitBully and connect-four-ai, and how many times faster Ludex is."""

import json
import os
import subprocess
import sys
import tempfile
import time

from bitbully import bitbully_core


def bitbully(path):
    core = bitbully_core.BitBullyCore()
    seconds, nodes, wrong, count = 0.0, 0, 0, 0
    for line in open(path):
        moves, score = line.split()
        board = bitbully_core.BoardCore()
        for column in moves.replace("-", ""):
            board.play(int(column) - 1)
        core.resetTranspositionTable()
        core.resetNodeCounter()
        start = time.perf_counter()
        found = core.mtdf(board, 0)
        seconds += time.perf_counter() - start
        nodes += core.getNodeCounter()
        wrong += found != int(score)
        count += 1
    return seconds / count, nodes / count, wrong


def connect_four_ai(program, path):
    words = subprocess.run([program, path], check=True, capture_output=True, text=True).stdout.split()
    return float(words[0]), float(words[1]), int(words[2])


def ludex(program, path):
    answer = subprocess.run(
        [program, "connect4", "measure", path, "--json"], check=False, capture_output=True, text=True
    ).stdout
    found = json.loads(answer)
    return found["seconds"], found["nodes"], found["wrong"]


def main():
    program, peer, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    print(f"{'file':<12} {'':<16} {'ms':>12} {'nodes':>14} {'wrong':>5} {'Ludex is faster by':>19}")
    if os.environ.get("EMPTY"):
        empty = tempfile.NamedTemporaryFile("w", suffix=".txt", prefix="empty", delete=False)
        empty.write("- 1\n")
        empty.close()
        files = files + [empty.name]
    for path in files:
        ours = ludex(program, path)
        rows = [("ludex", ours), ("bitbully", bitbully(path))]
        if not os.path.basename(path).startswith(("empty", "L1_R3")):
            rows.append(("connect-four-ai", connect_four_ai(peer, path)))
        for name, (seconds, nodes, wrong) in rows:
            ratio = "" if name == "ludex" else f"{seconds / ours[0]:.2f}"
            label = os.path.basename(path)[:12]
            print(f"{label:<12} {name:<16} {seconds * 1e3:>12.3f} {nodes:>14,.0f} {wrong:>5} {ratio:>19}", flush=True)


main()
