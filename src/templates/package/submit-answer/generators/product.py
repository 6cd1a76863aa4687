"""Makes an input: product.py a b."""

import sys

print(int(sys.argv[1]) * int(sys.argv[2]))
