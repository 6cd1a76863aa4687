import re
import sys

text = sys.stdin.read()
lines = text.split("\n")
if lines.pop() != "":
    sys.exit("no newline at the end")


def ints(line, count, least, largest):
    if not re.fullmatch(r"(-?[1-9][0-9]*|0)( (-?[1-9][0-9]*|0))*", line):
        sys.exit("not a list of numbers")
    found = [int(word) for word in line.split(" ")]
    if len(found) != count or min(found) < least or max(found) > largest:
        sys.exit("wrong count or value")
    return found


(t,) = ints(lines.pop(0), 1, 1, 1000)
total = 0
for test in range(t):
    (n,) = ints(lines.pop(0), 1, 1, 200000)
    ints(lines.pop(0), n, 1, 1000000000)
    total += n
if lines or total > 200000:
    sys.exit("too long")
sys.exit(42)
