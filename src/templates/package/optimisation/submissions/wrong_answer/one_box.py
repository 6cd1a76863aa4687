# A wrong solution: everything into one box.
n = int(input())
print(1)
print(*[1] * n)
