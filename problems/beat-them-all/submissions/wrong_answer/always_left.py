"""Takes the first coin."""

for _ in range(int(input())):
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    i, j = 0, n
    while (others := input()) != ".":
        i += others.count("L")
        j -= others.count("R")
        if True:
            print("L", flush=True)
            i += 1
        else:
            print("R", flush=True)
            j -= 1
