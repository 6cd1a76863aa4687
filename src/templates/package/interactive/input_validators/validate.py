"""What an input must look like, to the byte. Exit code 42: valid; anything else: not.

The input is what the judge knows: n and the number. The solution sees none of it.
The bounds are the constants of problem.yaml.
"""

import re
import sys

N_MAX = {{n_max}}

text = sys.stdin.buffer.read().decode("latin-1")
if not re.fullmatch("[1-9][0-9]{0,17} [1-9][0-9]{0,17}\n", text):
    sys.exit(43)
n, number = map(int, text.split())
sys.exit(42 if number <= n <= N_MAX else 43)
