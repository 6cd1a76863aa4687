from operator import add

def solve():
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    dp = [0] * (n + 1)
    for length in range(1, n + 1):
        if (n - length) % m == k:
            left = map(add, x, dp[1:])
            right = map(add, x[length - 1:], dp)
            dp = list(map(max, left, right))
        else:
            dp = list(map(min, dp[1:], dp))
    return dp[0]

t = int(input())
for _ in range(t):
    print(solve())
