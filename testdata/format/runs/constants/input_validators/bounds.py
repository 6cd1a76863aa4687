import sys

line = sys.stdin.read()
ok = line.strip().isdigit() and line == f"{int(line)}\n" and 1 <= int(line) <= {{most}}
sys.exit(42 if ok else 43)
