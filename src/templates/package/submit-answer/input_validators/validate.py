"""What an input must look like, to the byte. Exit code 42: valid; anything else: not.

The bounds are the constants of problem.yaml.
"""

import re
import sys

N_MAX = {{n_max}}

text = sys.stdin.buffer.read().decode("latin-1")
if not re.fullmatch("[1-9][0-9]{0,17}\n", text) or int(text) > N_MAX:
    sys.exit(43)
n, factor = int(text), 2
while n % factor and factor * factor <= n:
    factor += 1
sys.exit(42 if n % factor == 0 and factor < n else 43)
