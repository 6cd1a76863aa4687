import sys

what, by = sys.argv[1], float(sys.argv[2])
points = sum(float(line.split()[1]) for line in sys.stdin)
print("AC", points + by if what == "add" else points * by)
