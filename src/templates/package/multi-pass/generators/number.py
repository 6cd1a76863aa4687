"""Makes an input: number.py greatest seed.

The same arguments must always give the same bytes: draw only from the seed, and only by
`random()`, which Python promises not to change.
"""

import random
import sys

greatest, seed = map(int, sys.argv[1:])
print("encode")
print(1 + int(random.Random(seed).random() * greatest))
