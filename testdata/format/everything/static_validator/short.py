"""The files of a submission must not be longer than the argument says."""
import os
import sys

language, entry, feedback, longest = sys.argv[1:5]
size = sum(os.path.getsize(name) for name in os.listdir(".") if os.path.isfile(name))
with open(os.path.join(feedback, "judgemessage.txt"), "w") as file:
    file.write(f"{language} {entry}: {size} bytes\n")
sys.exit(42 if size <= int(longest) else 43)
