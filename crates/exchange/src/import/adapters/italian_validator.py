"""Written by `kopek import`: a validator of the Italian format as an input validator.

    validator SUBTASK < input
    original  FILE SUBTASK       exit code 0 accepts
"""

import os
import subprocess
import sys
import tempfile

ORIGINAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "@ORIGINAL@")
with tempfile.TemporaryDirectory() as aside:
    path = os.path.join(aside, "input")
    with open(path, "wb") as file:
        file.write(sys.stdin.buffer.read())
    subtask = sys.argv[1] if len(sys.argv) > 1 else "1"
    done = subprocess.run([sys.executable, ORIGINAL, path, subtask], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
sys.exit(42 if done.returncode == 0 else 43)
