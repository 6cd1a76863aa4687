"""One line: a number up to `--most=` (100 without), and the passes. Other arguments are the submission's."""
import re
import sys

greatest = 100
for word in sys.argv[1:]:
    if word.startswith("--most="):
        greatest = int(word.partition("=")[2])
text = sys.stdin.read()
match = re.fullmatch(r"([1-9][0-9]*) ([1-9][0-9]*)\n", text)
good = match and len(text) < 20 and int(match[1]) <= greatest and int(match[2]) <= int("{{passes}}")
sys.exit(42 if good else 43)
