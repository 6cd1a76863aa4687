"""A fused coin is worth nothing at least."""
import sys


def solve(x):
    row = []
    for value in x:
        while len(row) >= 2 and row[-2] <= row[-1] >= value:
            peak = row.pop()
            value = max(0, value + row.pop() - peak)
        row.append(value)
    row.sort(reverse=True)
    return (sum(x) + sum(row[::2]) - sum(row[1::2])) // 2


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        n = next(numbers)
        x = [next(numbers) for _ in range(n)]
        print(solve(x))


main()
