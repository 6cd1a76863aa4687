def larger(a, b):
    return a if a > b else b


a, b, c = map(int, input().split())
print(larger(larger(a, b), c))
