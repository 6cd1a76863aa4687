#!/usr/bin/env python3
# Written by `kopek pack` for CMS: the output validator of the package, and an adapter for the calling convention
# of CMS: checker INPUT ANSWER OUTPUT. The share is on standard output, the message on standard error.
import os
import subprocess
import sys
import tempfile

MAIN, ARGUMENTS, MOST = @MAIN@, [@ARGUMENTS@], @MOST@
FILES = {@FILES@}


def text_of(feedback, name):
    path = os.path.join(feedback, name)
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


# The share of the points of an accepted output.
def share(feedback):
    score, multiplier = text_of(feedback, "score.txt"), text_of(feedback, "score_multiplier.txt")
    value = 1.0
    if score is not None:
        value = float(score) / MOST
    elif multiplier is not None:
        value = float(multiplier)
    return min(max(value, 0.0), 1.0)


def judge(home, case, answer, output):
    program, feedback = os.path.join(home, "program"), os.path.join(home, "feedback", "")
    os.mkdir(feedback)
    for name, text in FILES.items():
        path = os.path.join(program, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    command = [sys.executable or "/usr/bin/python3", os.path.join(program, MAIN), case, answer, feedback, *ARGUMENTS]
    with open(output, "rb") as given:
        code = subprocess.run(command, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    if code not in (42, 43):
        sys.exit(f"the output validator ended with {code}")
    part = share(feedback) if code == 42 else 0.0
    line = (text_of(feedback, "teammessage.txt") or "").split("\n")[0]
    return part, line or "translate:" + ("success" if part >= 1 else "partial" if part > 0 else "wrong")


with tempfile.TemporaryDirectory() as home:
    part, line = judge(home, *sys.argv[1:4])
print(f"{part:.9f}")
print(line, file=sys.stderr)
