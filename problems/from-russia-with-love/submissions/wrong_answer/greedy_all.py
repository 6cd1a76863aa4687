"""Everybody takes the larger end, we too."""
from collections import deque

for _ in range(int(input())):
    n, m, k = map(int, input().split())
    row = deque(map(int, input().split()))
    mine = 0
    for turn in range(n):
        coin = row.popleft() if row[0] >= row[-1] else row.pop()
        if turn % m == k:
            mine += coin
    print(mine)
