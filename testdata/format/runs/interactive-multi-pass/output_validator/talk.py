import sys

left = int(open(sys.argv[1]).read())
print(left, flush=True)
if sys.stdin.readline() != f"{2 * left}\n":
    sys.exit(43)
if left > 1:
    open(sys.argv[3] + "nextpass.in", "w").write(f"{left - 1}\n")
sys.exit(42)
