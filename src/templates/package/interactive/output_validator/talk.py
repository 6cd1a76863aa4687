"""The judge's side of the conversation: talk.py input answer feedback_dir, standard input is what
the solution prints, standard output what it reads. Exit code 42: accepted; 43: wrong answer;
anything else is our own mistake.
"""

import os
import pathlib
import sys

GUESSES = {{guesses}}  # a constant of problem.yaml
sys.stdin.reconfigure(encoding="latin-1")  # whatever bytes come


def end(code, message):
    # For the judges; a file `teammessage.txt` would be for the contestant.
    pathlib.Path(sys.argv[3], "judgemessage.txt").write_text(message + "\n")
    os._exit(code)  # at once: there may be nobody left to flush our words to


def say(word):
    try:
        print(word, flush=True)  # always flush: the solution waits for it
    except BrokenPipeError:
        end(43, "the solution is gone")


n, number = map(int, pathlib.Path(sys.argv[1]).read_text().split())
say(n)
for turn in range(1, GUESSES + 1):
    line = sys.stdin.readline()
    if not line.strip().isascii() or not line.strip().isdigit() or len(line) > 9:
        end(43, f"guess {turn} is {line[:20]!r}, not a number")
    guess = int(line)
    if guess == number:
        say("right")
        end(42 if not sys.stdin.read().strip() else 43, f"found with {turn} guesses")
    say("higher" if guess < number else "lower")
end(43, f"not found with {GUESSES} guesses")
