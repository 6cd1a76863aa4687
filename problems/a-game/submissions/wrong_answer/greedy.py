"""Both take the larger end."""
import sys


def solve(x):
    i, j, mine = 0, len(x) - 1, 0
    for turn in range(len(x)):
        if x[i] >= x[j]:
            coin, i = x[i], i + 1
        else:
            coin, j = x[j], j - 1
        mine += coin if turn % 2 == 0 else 0
    return mine


n, *x = map(int, sys.stdin.read().split())
first = solve(x)
print(first, sum(x) - first)
