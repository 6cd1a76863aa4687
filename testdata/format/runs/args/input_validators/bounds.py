import sys

sys.exit(42 if sys.stdin.read() and sys.argv[1] in ["2", "5", "6"] else 43)
