n = int(input())
a = list(map(int, input().split()))
print(*dict.fromkeys(a))
