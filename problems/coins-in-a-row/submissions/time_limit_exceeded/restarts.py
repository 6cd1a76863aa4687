"""Fuses, but looks for the next peak from the left end again each time."""
import sys


def solve(x):
    row = list(x)
    i = 1
    while i + 1 < len(row):
        if row[i - 1] <= row[i] >= row[i + 1]:
            row[i - 1:i + 2] = [row[i - 1] - row[i] + row[i + 1]]
            i = 1
        else:
            i += 1
    row.sort(reverse=True)
    return (sum(x) + sum(row[::2]) - sum(row[1::2])) // 2


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        n = next(numbers)
        x = [next(numbers) for _ in range(n)]
        print(solve(x))


main()
