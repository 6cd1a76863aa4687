"""Makes an input: number.py n seed.

The same arguments must always give the same bytes: draw only from the seed, and only by
`random()`, which Python promises not to change.
"""

import random
import sys

n, seed = map(int, sys.argv[1:])
print(n, 1 + int(random.Random(seed).random() * n))
