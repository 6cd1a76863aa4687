import os
import sys

language, entry, feedback, longest = sys.argv[1:]
size = sum(os.path.getsize(name) for name in os.listdir("."))
sys.exit(42 if size <= int(longest) else 43)
