a, b, c = map(int, input().split())
largest = a
for number in (b, c):
    if number > largest:
        largest = number
print(largest)
