import os
import sys

from factor import FACTOR

factor = FACTOR
assert factor == {{factor}}
if len(sys.argv) > 1:
    factor = int(sys.argv[1])
elif os.path.exists("factor.txt"):
    with open("factor.txt") as file:
        factor = int(file.read())
print(f"+{factor * int(input())}", flush=True)
