"""What an input must look like, to the byte. Exit code 42: valid; anything else: not.

It is the input of the first run; the judge makes that of the second.
The bounds are the constants of problem.yaml.
"""

import re
import sys

N_MAX = {{n_max}}

text = sys.stdin.buffer.read().decode("latin-1")
valid = re.fullmatch("encode\n[1-9][0-9]{0,17}\n", text) and int(text.split()[1]) <= N_MAX
sys.exit(42 if valid else 43)
