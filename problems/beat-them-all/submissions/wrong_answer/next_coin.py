"""Looks at what is uncovered: takes the coin that is larger than the one behind it."""

for _ in range(int(input())):
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    i, j = 0, n
    while (others := input()) != ".":
        i += others.count("L")
        j -= others.count("R")
        if j - i < 2 or x[i] - x[i + 1] >= x[j - 1] - x[j - 2]:
            print("L", flush=True)
            i += 1
        else:
            print("R", flush=True)
            j -= 1
