"""Written by `kopek import`: a validator of TPS as an input validator.

    validator (--run NAME argument...)... < input
    original  argument... < input                   exit code 0 accepts

Runs the original once for each `--run` with its own name; without any nothing is asked of it.
"""

import os
import subprocess
import sys

ORIGINAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "@ORIGINAL@")
given = sys.stdin.buffer.read()
calls = []
for word in sys.argv[1:]:
    if word == "--run":
        calls.append([])
    else:
        calls[-1].append(word)
for name, *arguments in calls:
    if name == "@NAME@":
        done = subprocess.run([sys.executable, ORIGINAL, *arguments], input=given, stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            sys.exit(43)
sys.exit(42)
