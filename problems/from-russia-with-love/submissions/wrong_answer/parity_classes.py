"""Winkler's strategy made into an answer: the coins at every m-th place, the best class one can hold."""
for _ in range(int(input())):
    n, m, k = map(int, input().split())
    x = list(map(int, input().split()))
    classes = [sum(x[r::m]) for r in range(m)]
    if m == 1:
        print(classes[0])
    elif k == 0:
        print(max(classes[0], classes[(n - 1) % m]))
    else:
        print(min(classes))
