"""The table of single moves, the slowest right way in Python: it sets the time limit."""


def guaranteed(x, n, m, k):
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        if (n - length) % m == k:
            left = [coin + rest for coin, rest in zip(x, w[1:])]
            right = [coin + rest for coin, rest in zip(x[length - 1 :], w)]
            w = [a if a > b else b for a, b in zip(left, right)]
        else:
            w = [a if a < b else b for a, b in zip(w, w[1:])]
    return w[0]


t = int(input())
for _ in range(t):
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    print(guaranteed(x, n, m, k))
