numbers = [int(word) for word in input().split()]
numbers.sort(reverse=True)
print(numbers[0])
