"""The full table as lists of lists."""
import sys


def solve(x):
    n = len(x)
    w = [[0] * (n + 1) for _ in range(n + 1)]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n + 1):
            w[i][j] = max(x[i] - w[i + 1][j], x[j - 1] - w[i][j - 1])
    return (sum(x) + w[0][n]) // 2


n, *x = map(int, sys.stdin.read().split())
print(solve(x))
