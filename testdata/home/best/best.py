# The greatest sum of neighbours: at least one number must be taken.
n = int(input())
best = here = 0
for x in map(int, input().split()):
    here = max(0, here + x)
    best = max(best, here)
print(best)
