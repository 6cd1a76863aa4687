# A wrong solution: some case must catch it. Add those that contestants will write.
input()
numbers = list(map(int, input().split()))
print(numbers.index(min(numbers)) + 1)
