# Wrong where two rows of a file have as many coins and the same sum.
def solve(x):
    n = len(x)
    best = [0] * (n + 1)
    for length in range(1, n + 1):
        mine = (n - length) % 2 == 0
        for i in range(n - length + 1):
            left, right = best[i + 1], best[i]
            best[i] = max(x[i] + left, x[i + length - 1] + right) if mine else min(left, right)
    return best[0]


known = {}
for _ in range(int(input())):
    n = int(input())
    x = list(map(int, input().split()))
    key = (n, sum(x))
    if key not in known:
        known[key] = solve(x)
    print(known[key])
