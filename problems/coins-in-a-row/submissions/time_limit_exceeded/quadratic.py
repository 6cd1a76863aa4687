"""All rows of one length at a time, in Python."""
import sys


def solve(x):
    """By how much the one on move can be ahead, for all rows of one length at a time."""
    n = len(x)
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        w = [a - c if a - c > b - d else b - d for a, b, c, d in zip(x, x[length - 1:], w[1:], w)]
    return (sum(x) + w[0]) // 2


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        n = next(numbers)
        x = [next(numbers) for _ in range(n)]
        print(solve(x))


main()
