"""The recursion with a dictionary and a raised limit: right, too slow and too large for 2000 coins."""
import sys
from functools import lru_cache

sys.setrecursionlimit(10000)

for _ in range(int(input())):
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))

    @lru_cache(maxsize=None)
    def go(i, j):
        if i == j:
            return 0
        if (n - (j - i)) % m == k:
            return max(x[i] + go(i + 1, j), x[j - 1] + go(i, j - 1))
        return min(go(i + 1, j), go(i, j - 1))

    print(go(0, n))
