n = int(input())
a = list(map(int, input().split()))
best = [[0] * n for _ in range(n)]
for i in range(n):
    best[i][i] = a[i]
for length in range(2, n + 1):
    for i in range(n - length + 1):
        j = i + length - 1
        total = sum(a[i:j + 1])
        x = total - best[i + 1][j]
        y = total - best[i][j - 1]
        if x > y:
            best[i][j] = x
        else:
            best[i][j] = y
if n > 0:
    print(best[0][n - 1])
else:
    print(0)
