let numbers = [0, 0, 0]
print(numbers[numbers.count + 4])
