def solve():
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    dp = [0] * (n + 1)
    for length in range(1, n + 1):
        if (n - length) % m == k:
            dp = [max(x[i] + dp[i + 1], x[i + length - 1] + dp[i]) for i in range(n - length + 1)]
        else:
            dp = [min(dp[i + 1], dp[i]) for i in range(n - length + 1)]
    return dp[0]

t = int(input())
for _ in range(t):
    print(solve())
