# everybody takes the bigger one, I have a proof but the margin is too small
t = int(input())
for _ in range(t):
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    total = 0
    turn = 0
    while x:
        coin = x.pop(0) if x[0] > x[-1] else x.pop()
        if turn == k:
            total += coin
        turn = (turn + 1) % m
    print(total)
