"""Solves every line `MOVES SCORE` of a file with BitBully, a cleared table for each, and prints mean processor seconds, mean
nodes and wrong scores. Clearing is not timed."""

import sys
import time

from bitbully import bitbully_core

core = bitbully_core.BitBullyCore()
seconds, nodes, wrong, count = 0.0, 0, 0, 0
for line in open(sys.argv[1]):
    moves, score = line.split()
    board = bitbully_core.BoardCore()
    for column in moves.replace("-", ""):
        board.play(int(column) - 1)
    core.resetTranspositionTable()
    core.resetNodeCounter()
    start = time.process_time()
    found = core.mtdf(board, 0)
    seconds += time.process_time() - start
    nodes += core.getNodeCounter()
    wrong += found != int(score)
    count += 1
print(seconds / count, nodes / count, wrong)
