# A right solution: every case must be accepted. Add one in each language that you allow.
input()
numbers = list(map(int, input().split()))
print(numbers.index(max(numbers)) + 1)
