"""What an input must look like, to the byte. Exit code 42: valid; anything else: not.

Change the pattern to that of your statement. The bounds are the constants of problem.yaml.
"""

import re
import sys

text = sys.stdin.buffer.read().decode("latin-1")
NUMBER = "[1-9][0-9]{0,17}"
if not re.fullmatch(f"{NUMBER}\n{NUMBER}( {NUMBER})*\n", text):
    sys.exit(43)
n, *weights = map(int, text.split())
valid = n <= {{n_max}} and len(weights) == n and max(weights) <= {{capacity}}
sys.exit(42 if valid else 43)
