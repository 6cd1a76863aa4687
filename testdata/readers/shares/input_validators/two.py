import re
import sys

text = sys.stdin.read()
if not re.fullmatch(r"(0|-?[1-9][0-9]{0,9}) (0|-?[1-9][0-9]{0,9})\n", text):
    sys.exit(43)
sys.exit(42 if all(abs(int(word)) <= 10**9 for word in text.split()) else 43)
