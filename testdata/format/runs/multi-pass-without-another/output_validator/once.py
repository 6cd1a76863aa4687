import sys

sys.exit(42 if sys.stdin.read() else 43)
