"""Judges an output: check.py input answer feedback_dir < output. Exit code 42: accepted; 43: wrong
answer; anything else is our own mistake. Remove this directory where only one output is right.
"""

import pathlib
import re
import sys


def refuse(message):
    # For the judges; a file `teammessage.txt` would be for the contestant.
    pathlib.Path(sys.argv[3], "judgemessage.txt").write_text(message + "\n")
    sys.exit(43)


n = int(pathlib.Path(sys.argv[1]).read_text())
output = sys.stdin.buffer.read().decode("latin-1")  # whatever bytes come
if not re.fullmatch(r"\s*[0-9]{1,13}\s+[0-9]{1,13}\s*", output):
    refuse(f"{output[:20]!r} is not two numbers")
a, b = map(int, output.split())
if a == 1 or b == 1 or a * b != n:
    refuse(f"{a} times {b} is not a way to make {n}")
sys.exit(42)
