"""The recursion with a dictionary of whole rows: right, and too large for long ones."""
import sys
from functools import lru_cache

sys.setrecursionlimit(10000)

for _ in range(int(input())):
    n, m, k = map(int, input().split())

    @lru_cache(maxsize=None)
    def go(row):
        if not row:
            return 0
        left, right = go(row[1:]), go(row[:-1])
        if (n - len(row)) % m == k:
            return max(row[0] + left, row[-1] + right)
        return min(left, right)

    print(go(tuple(map(int, input().split()))))
    go.cache_clear()
