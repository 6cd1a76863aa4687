"""Judges an output: check.py input answer feedback_dir < output. Exit code 42: accepted; 43: wrong
answer; anything else is our own mistake. What a group says (`output_validator_args`) follows.

Change what it reads and asks for to what your statement says.
"""

import pathlib
import re
import sys

feedback = pathlib.Path(sys.argv[3])
printed = sys.stdin.buffer.read().decode("latin-1")  # whatever bytes come
n, *numbers = map(int, pathlib.Path(sys.argv[1]).read_text().split())


def refuse(message):
    # For the judges; a file `teammessage.txt` would be for the contestant.
    (feedback / "judgemessage.txt").write_text(message + "\n")
    sys.exit(43)


# int() would take `+1` and `1_000`, too.
if not re.fullmatch("[1-9][0-9]{0,17}", printed.strip()):
    refuse(f"{printed[:20]!r} is no position")
position = int(printed)
if position > n:
    refuse(f"there is no position {position}")
if numbers[position - 1] < max(numbers):
    refuse(f"{numbers[position - 1]} is not the greatest number")
sys.exit(42)
