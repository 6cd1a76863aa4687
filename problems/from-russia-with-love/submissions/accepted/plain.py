"""The table of single moves with indices, the slowest right way in Python: it sets the time limit."""


def guaranteed(x, n, m, k):
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        starts = range(n - length + 1)
        if (n - length) % m == k:
            w = [max(x[i] + w[i + 1], x[i + length - 1] + w[i]) for i in starts]
        else:
            w = [min(w[i + 1], w[i]) for i in starts]
    return w[0]


t = int(input())
for _ in range(t):
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    print(guaranteed(x, n, m, k))
