import sys

print("7", flush=True)
sys.exit(42 if sys.stdin.readline() == "14\n" else 43)
