"""One line: a number up to the first argument (100 without), and the passes."""
import re
import sys

greatest = int(sys.argv[1]) if len(sys.argv) > 1 else 100
text = sys.stdin.read()
match = re.fullmatch(r"([1-9][0-9]*) ([1-9][0-9]*)\n", text)
good = match and len(text) < 20 and int(match[1]) <= greatest and int(match[2]) <= int("{{passes}}")
sys.exit(42 if good else 43)
