import sys

sys.exit(42 if sys.stdin.read() == f"{2 * int(open(sys.argv[1]).read())}\n" else 43)
