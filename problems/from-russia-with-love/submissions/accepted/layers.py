"""Only the lengths at which p_k moves; minima of windows by doubling: O(n^2/m log m) list operations."""
import sys
from operator import add


def window_minima(w, m):
    width = 1
    while 2 * width <= m:
        w = list(map(min, w, w[width:]))
        width *= 2
    return list(map(min, w, w[m - width:])) if width < m else w


def guaranteed(x, m, k):
    n = len(x)
    if n <= k:
        return 0
    length = (n - k - 1) % m + 1
    w = list(map(max, x, x[length - 1:]))
    while length + m <= n - k:
        length += m
        least = window_minima(w, m)
        w = list(map(max, map(add, x, least[1:]), map(add, x[length - 1:], least)))
    return min(w[:k + 1])


def main():
    numbers = map(int, sys.stdin.buffer.read().split())
    for _ in range(next(numbers)):
        n, m, k = next(numbers), next(numbers), next(numbers)
        print(guaranteed([next(numbers) for _ in range(n)], m, k))


main()
