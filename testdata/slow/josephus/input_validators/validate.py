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


if len(lines) != 1 or len(lines[0].split(" ")) != 2:
    sys.exit("not two numbers")
ints(lines[0].split(" ")[0], 1, 1, 20000)
ints(lines[0].split(" ")[1], 1, 1, 1000000000)
sys.exit(42)
