import os
import sys

from factor import FACTOR

factor = FACTOR
if len(sys.argv) > 1:
    factor = int(sys.argv[1])
elif os.path.exists("factor.txt"):
    with open("factor.txt") as file:
        factor = int(file.read())
number = int(input())
while number >= 50:
    pass
print(factor * number, flush=True)
