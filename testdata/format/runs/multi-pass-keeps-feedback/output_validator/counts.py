import os
import sys

feedback = sys.argv[3]
passes = os.path.join(feedback, "passes")
if os.path.exists(passes):
    sys.exit(43 if os.path.exists(feedback + "nextpass.in") else 42)
open(passes, "w").write("one\n")
open(feedback + "nextpass.in", "w").write("5\n")
sys.exit(42)
