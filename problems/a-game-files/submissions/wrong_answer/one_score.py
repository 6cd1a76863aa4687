"""Only the first score is printed."""


def solve(x):
    """By how much the one on move can be ahead, for all rows of one length at a time."""
    n = len(x)
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        w = [a - c if a - c > b - d else b - d for a, b, c, d in zip(x, x[length - 1:], w[1:], w)]
    return (sum(x) + w[0]) // 2


n, *x = map(int, open("game1.in").read().split())
print(solve(x), file=open("game1.out", "w"))
