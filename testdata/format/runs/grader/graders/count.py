import sys

parts = [line.split() for line in sys.stdin]
print("AC", sum(float(points) for verdict, points in parts if verdict == "AC"))
