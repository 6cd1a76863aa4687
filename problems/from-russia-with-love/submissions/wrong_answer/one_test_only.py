"""Answers the first test case and stops."""


def solve(x, n, m, k):
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        if (n - length) % m == k:
            w = [max(a + c, b + d) for a, b, c, d in zip(x, x[length - 1:], w[1:], w)]
        else:
            w = list(map(min, w[1:], w))
    return w[0]


input()
n, m, k = map(int, input().split())
print(solve(list(map(int, input().split())), n, m, k))
