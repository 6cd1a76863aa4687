import sys

n, *numbers = map(int, sys.stdin.read().split())
best = 0
for first in range(n):
    for last in range(first, n):
        best = max(best, sum(numbers[first:last]))
print(best)
