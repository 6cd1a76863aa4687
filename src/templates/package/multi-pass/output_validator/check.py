"""Judges a run: check.py input answer feedback_dir < what the solution printed. Exit code 42:
accepted, and run once more if there is a file `nextpass.in`; 43: wrong answer.

The files in feedback_dir stay from run to run: that is how the judge remembers the number.
"""

import pathlib
import re
import sys

feedback = pathlib.Path(sys.argv[3])
memory = feedback / "number"
printed = sys.stdin.buffer.read().decode("latin-1")  # whatever bytes come


def refuse(message):
    # For the judges; a file `teammessage.txt` would be for the contestant.
    (feedback / "judgemessage.txt").write_text(message + "\n")
    sys.exit(43)


if not memory.exists():
    if not re.fullmatch("[a-z]{1,8}", printed.strip()):
        refuse(f"{printed[:20]!r} is no word of 1 to 8 letters")
    memory.write_text(pathlib.Path(sys.argv[1]).read_text().split()[1])
    (feedback / "nextpass.in").write_text(f"decode\n{printed.strip()}\n")
elif printed.split() != [memory.read_text()]:
    refuse(f"decoded {printed[:20]!r}, not {memory.read_text()}")
sys.exit(42)
