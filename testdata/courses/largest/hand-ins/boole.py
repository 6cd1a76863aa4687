numbers = sorted(int(word) for word in input().split())
print(numbers[-1])
