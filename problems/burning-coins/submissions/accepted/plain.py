"""The table by indices, as plainly as it can be written."""
import sys


def solve(x):
    n = len(x)
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        if (n - length) % 2 == 0:
            w = [max(x[i] + w[i + 1], x[i + length - 1] + w[i]) for i in range(n - length + 1)]
        else:
            w = [min(w[i + 1], w[i]) for i in range(n - length + 1)]
    return w[0]


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        n = next(numbers)
        x = [next(numbers) for _ in range(n)]
        print(solve(x))


main()
