a, b, c = map(int, input().split())
largest = 0
for number in (a, b):
    largest = max(largest, number)
print(largest)
