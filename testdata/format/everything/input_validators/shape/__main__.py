"""Two words and nothing else."""
import sys

text = sys.stdin.buffer.read()
sys.exit(42 if text == b" ".join(text.split()) + b"\n" and len(text.split()) == 2 else 43)
