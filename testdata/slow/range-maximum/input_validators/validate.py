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


n, q = ints(lines[0], 2, 1, 100000)
ints(lines[1], n, 1, 1000000000)
if len(lines) != q + 2:
    sys.exit("wrong number of questions")
for line in lines[2:]:
    left, right = ints(line, 2, 1, n)
    if left > right:
        sys.exit("left > right")
sys.exit(42)
