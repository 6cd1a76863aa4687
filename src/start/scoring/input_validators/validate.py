"""What an input must look like, to the byte. Exit code 42: valid; anything else: not.

Each group gives its bounds as arguments (see generators.yaml): a case in the wrong group is found.
Change the pattern and the bounds to those of your statement.
"""

import re
import sys

NUMBER = "(0|-?[1-9][0-9]{0,3})"

most = 1000
for argument in sys.argv[1:]:
    key, value = argument.split("=")
    if key == "--max-n":
        most = int(value)
text = sys.stdin.buffer.read().decode("latin-1")
if not re.fullmatch(f"[1-9][0-9]{{0,3}}\n{NUMBER}( {NUMBER})*\n", text):
    sys.exit(43)
n, *numbers = map(int, text.split())
valid = n <= most and len(numbers) == n and all(-1000 <= x <= 1000 for x in numbers)
sys.exit(42 if valid else 43)
