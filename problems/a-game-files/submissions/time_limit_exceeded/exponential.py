"""Plain recursion in another language."""


def ahead(x):
    return max(x[0] - ahead(x[1:]), x[-1] - ahead(x[:-1])) if x else 0


def solve(x):
    return (sum(x) + ahead(x)) // 2


n, *x = map(int, open("game1.in").read().split())
first = solve(x)
print(first, sum(x) - first, file=open("game1.out", "w"))
