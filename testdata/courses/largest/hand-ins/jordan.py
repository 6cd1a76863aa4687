a, b, c = map(int, input().split())
if a < b:
    a = b
if a < c:
    a = c
print(a)
