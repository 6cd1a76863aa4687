from functools import reduce

print(reduce(lambda a, b: a if a > b else b, map(int, input().split())))
