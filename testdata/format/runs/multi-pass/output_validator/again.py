import sys

number = int(open(sys.argv[1]).read())
if sys.stdin.read() != f"{2 * number}\n":
    sys.exit(43)
if number < 4:
    open(sys.argv[3] + "nextpass.in", "w").write(f"{number + 1}\n")
sys.exit(42)
