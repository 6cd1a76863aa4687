# A right solution that prints another right answer: the checker must accept both.
n = int(input())
numbers = list(map(int, input().split()))
print(max(range(n), key=lambda i: (numbers[i], i)) + 1)
