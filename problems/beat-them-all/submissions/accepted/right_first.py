"""Of two moves that are as good the right one."""


def table(x, m, k):
    n = len(x)
    w = [[0] * (n + 1)]
    for length in range(1, n + 1):
        last, starts = w[-1], range(n - length + 1)
        if (n - length) % m == k:
            w.append([max(x[i] + last[i + 1], x[i + length - 1] + last[i]) for i in starts])
        else:
            w.append([min(last[i + 1], last[i]) for i in starts])
    return w


for _ in range(int(input())):
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    w = table(x, m, k)
    i, j = 0, n
    while (others := input()) != ".":
        i += others.count("L")
        j -= others.count("R")
        last = w[j - i - 1]
        if x[i] + last[i + 1] > x[j - 1] + last[i]:
            print("L", flush=True)
            i += 1
        else:
            print("R", flush=True)
            j -= 1
