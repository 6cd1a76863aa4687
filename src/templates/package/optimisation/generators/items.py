"""Makes an input: items.py n least greatest seed.

The same arguments must always give the same bytes: draw only from the seed, and only by
`random()`, which Python promises not to change.
"""

import random
import sys

n, least, greatest, seed = map(int, sys.argv[1:])
draw = random.Random(seed)
print(n)
print(*(least + int(draw.random() * (greatest - least + 1)) for _ in range(n)))
