import sys

line = sys.stdin.readline()
ok = line == f"{int(line)}\n" and 1 <= int(line) <= 100 and not sys.stdin.read()
sys.exit(42 if ok else 43)
