# Right, and wasteful: a box for each item. submissions.yaml claims its points.
n = int(input())
print(n)
print(*range(1, n + 1))
