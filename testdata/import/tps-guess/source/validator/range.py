import sys

sys.exit(0 if 1 <= int(input()) <= 100 else 1)
