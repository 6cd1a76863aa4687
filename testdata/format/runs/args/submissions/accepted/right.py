import sys

print(sys.argv[1], len(sys.argv) - 1)
