# So many numbers at most, and a seed.
import random
import sys

random.seed(sys.argv[2])
n = random.randint(1, int(sys.argv[1]))
print(n)
print(*(random.randint(-9, 9) for _ in range(n)))
