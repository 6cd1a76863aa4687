"""What an input must look like, to the byte. Exit code 42: valid; anything else: not.

Each group gives its bounds as arguments (see generators.yaml): a case in the wrong group is found.
Change the pattern to that of your statement. The bounds are the constants of problem.yaml.
"""

import re
import sys

VALUE_MAX = {{value_max}}
NUMBER = "(0|-?[1-9][0-9]{0,17})"

n_max = {{n_max}}
for argument in sys.argv[1:]:
    key, value = argument.split("=")
    if key == "--max-n":
        n_max = int(value)
text = sys.stdin.buffer.read().decode("latin-1")
if not re.fullmatch(f"[1-9][0-9]{{0,17}}\n{NUMBER}( {NUMBER})*\n", text):
    sys.exit(43)
n, *numbers = map(int, text.split())
valid = n <= n_max and len(numbers) == n and all(-VALUE_MAX <= x <= VALUE_MAX for x in numbers)
sys.exit(42 if valid else 43)
