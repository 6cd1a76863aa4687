"""Makes the answers: this is your own solution, which nobody has to know."""

n, factor = int(input()), 2
while n % factor:
    factor += 1
print(factor, n // factor)
