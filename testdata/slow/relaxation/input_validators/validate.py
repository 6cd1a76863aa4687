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


n, m = ints(lines[0], 2, 1, 100000)
if len(lines) != m + 1:
    sys.exit("wrong number of edges")
for line in lines[1:]:
    one, other, length = ints(line, 3, 1, 1000000)
    if max(one, other) > n:
        sys.exit("no such node")
sys.exit(42)
