"""Right numbers, each in a sentence that nobody asked for."""


def solve(x, n, m, k):
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        if (n - length) % m == k:
            w = [a + c if a + c > b + d else b + d for a, b, c, d in zip(x, x[length - 1:], w[1:], w)]
        else:
            w = [a if a < b else b for a, b in zip(w, w[1:])]
    return w[0]


for case in range(1, int(input()) + 1):
    n, m, k = map(int, input().split())
    print("Case #%d: %d" % (case, solve(list(map(int, input().split())), n, m, k)))
