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


h, w = ints(lines[0], 2, 1, 700)
if len(lines) != h + 1:
    sys.exit("wrong number of rows")
for line in lines[1:]:
    if len(line) != w or set(line) - set(".#"):
        sys.exit("not a row")
if lines[1][0] != ".":
    sys.exit("no water")
sys.exit(42)
