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


(n,) = ints(lines[0], 1, 2, 200000)
if len(lines) != n:
    sys.exit("wrong number of edges")
root = list(range(n + 1))


def find(node):
    while root[node] != node:
        root[node] = root[root[node]]
        node = root[node]
    return node


for line in lines[1:]:
    one, other = ints(line, 2, 1, n)
    if find(one) == find(other):
        sys.exit("a cycle")
    root[find(one)] = find(other)
sys.exit(42)
