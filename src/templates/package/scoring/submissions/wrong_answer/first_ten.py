# A partial solution: right in group 1 only, which submissions.yaml claims of it.
input()
print(sum(list(map(int, input().split()))[:10]))
