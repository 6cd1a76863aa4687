# A partial solution: right in group 1 only, which submissions.yaml claims of it.
input()
numbers = list(map(int, input().split()))[:10]
print(numbers.index(max(numbers)) + 1)
