"""Right recursion, deeper than Python goes by itself."""
import sys


def solve(x):
    known = {}

    def ahead(i, j):
        if i == j:
            return 0
        if (i, j) not in known:
            known[i, j] = max(x[i] - ahead(i + 1, j), x[j - 1] - ahead(i, j - 1))
        return known[i, j]

    return (sum(x) + ahead(0, len(x))) // 2


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        n = next(numbers)
        x = [next(numbers) for _ in range(n)]
        print(solve(x))


main()
