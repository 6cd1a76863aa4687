import sys

lines = open(sys.argv[1]).read()
a, b = map(int, lines.split())
most = {"1": 10, "2": 10, "3": 1000}[sys.argv[2]]
assert lines == f"{a} {b}\n" and 0 <= a <= most and 0 <= b <= most
