"""Judges an output: check.py input answer feedback_dir < output. Exit code 42: accepted; 43: wrong
answer; anything else is our own mistake.

An accepted output gives the share of the points that is in the file `score_multiplier.txt`, from 0 to 1.
Change what it reads, and how good an output is.
"""

import pathlib
import re
import sys

feedback = pathlib.Path(sys.argv[3])
printed = sys.stdin.buffer.read().decode("latin-1")  # whatever bytes come
n, *weights = map(int, pathlib.Path(sys.argv[1]).read_text().split())
best = int(pathlib.Path(sys.argv[2]).read_text().split()[0])


def refuse(message):
    # For the judges; a file `teammessage.txt` would be for the contestant.
    (feedback / "judgemessage.txt").write_text(message + "\n")
    sys.exit(43)


# int() would take `+1` and `1_000`, too.
if not re.fullmatch(r"\s*[1-9][0-9]{0,8}(\s+[1-9][0-9]{0,8})*\s*", printed):
    refuse("not only positive integers")
k, *boxes = map(int, printed.split())
if len(boxes) != n or not 1 <= k <= n or max(boxes) > k:
    refuse(f"{len(boxes)} boxes of {k} for {n} items")
full = [0] * k
for box, weight in zip(boxes, weights):
    full[box - 1] += weight
if max(full) > {{capacity}}:
    refuse(f"a box weighs {max(full)}")
(feedback / "score_multiplier.txt").write_text(f"{min(1.0, best / k):.6f}\n")
sys.exit(42)
