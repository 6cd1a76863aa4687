"""What an input must look like, to the byte. Exit code 42: valid; anything else: not."""

import re
import sys

text = sys.stdin.buffer.read().decode("latin-1")
if not re.fullmatch("[1-9][0-9]{0,12}\n", text) or int(text) > 10**12:
    sys.exit(43)
n, factor = int(text), 2
while n % factor and factor * factor <= n:
    factor += 1
sys.exit(42 if n % factor == 0 and factor < n else 43)
