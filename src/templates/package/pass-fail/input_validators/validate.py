"""What an input must look like, to the byte. Exit code 42: valid; anything else: not.

Change the pattern to that of your statement. The bounds are the constants of problem.yaml.
"""

import re
import sys

N_MAX = {{n_max}}
VALUE_MAX = {{value_max}}
NUMBER = "(0|-?[1-9][0-9]{0,17})"

text = sys.stdin.buffer.read().decode("latin-1")
if not re.fullmatch(f"[1-9][0-9]{{0,17}}\n{NUMBER}( {NUMBER})*\n", text):
    sys.exit(43)
n, *numbers = map(int, text.split())
valid = n <= N_MAX and len(numbers) == n and all(-VALUE_MAX <= x <= VALUE_MAX for x in numbers)
sys.exit(42 if valid else 43)
