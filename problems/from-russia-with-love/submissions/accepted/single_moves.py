"""All lengths, one move at a time: O(n^2), as plainly as a student would write it."""


def guaranteed(x, n, m, k):
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        if (n - length) % m == k:
            ends = x[length - 1:]
            w = [a + c if a + c > b + d else b + d for a, b, c, d in zip(x, ends, w[1:], w)]
        else:
            w = [c if c < d else d for c, d in zip(w[1:], w)]
    return w[0]


for _ in range(int(input())):
    n, m, k = map(int, input().split())
    print(guaranteed(list(map(int, input().split())), n, m, k))
