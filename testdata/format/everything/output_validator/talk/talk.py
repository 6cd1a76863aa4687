"""Says a number and wants its multiple; then asks for another pass.

A reply with a plus sign is half right, where replies are scored.
"""
import os
import sys

number, passes = map(int, open(sys.argv[1]).read().split())
factor = int(open(sys.argv[2]).read())
feedback, scored = sys.argv[3], "scored" in sys.argv[4:]


def note(name, text):
    with open(os.path.join(feedback, name), "a") as file:
        file.write(text)


try:
    print(number, flush=True)
except OSError:
    # Nobody listens any longer; whoever ended first is judged for it.
    sys.exit(43)
reply = sys.stdin.readline().strip()
note("judgemessage.txt", f"{number} times {factor}: {reply[:20]!r}\n")
if not reply.lstrip("+").isdigit() or len(reply) > 20 or int(reply) != number * factor:
    note("teammessage.txt", "not the multiple\n")
    sys.exit(43)
if passes > 1:
    note("nextpass.in", f"{number * factor} {passes - 1}\n")
elif scored:
    note("score_multiplier.txt", "0.5\n" if reply.startswith("+") else "1\n")
sys.exit(42)
