"""Asks check.py about every file of a corpus, and says where it does not agree with the checker that wrote the corpus.

    LUDEX_CORPUS=/tmp/corpus LUDEX_MUTATIONS=100000 cargo test -p ludex-proof --test mutations
    python3 tools/agree.py /tmp/corpus

A corpus is a sequence of files: four bytes of length, lowest first, one byte that is 1 if the other checker accepted the
file and 0 if not, and the bytes. Ends with exit code 0 if both always agree, 3 if not.
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import check


def main(path: str) -> int:
    verdicts: Counter = Counter()
    wrong = []
    with open(path, "rb") as corpus:
        while head := corpus.read(5):
            length, accepted = int.from_bytes(head[:4], "little"), head[4] == 1
            verdict = check.check(io.BytesIO(corpus.read(length)), seconds=60).verdict
            verdicts[verdict] += 1
            if (verdict == check.VALID) != accepted:
                wrong.append((sum(verdicts.values()), verdict))
    said = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    print(f"{sum(verdicts.values())} files: {said}; {len(wrong)} on which the checkers do not agree {wrong[:10]}")
    return 3 if wrong or not verdicts else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
