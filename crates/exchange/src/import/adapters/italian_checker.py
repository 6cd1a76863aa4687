"""Written by `kopek import`: a checker of the Italian format as an output validator.

    validator input answer feedback/ < output
    checker   input answer output        prints a share from 0 to 1, and a message as error
"""

import os
import subprocess
import sys

ORIGINAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "@ORIGINAL@")
given, answer, feedback = sys.argv[1:4]
output = feedback + "output"
with open(output, "wb") as file:
    file.write(sys.stdin.buffer.read())
done = subprocess.run([sys.executable, ORIGINAL, given, answer, output], stdin=subprocess.DEVNULL, capture_output=True)
os.unlink(output)
with open(feedback + "judgemessage.txt", "ab") as file:
    file.write(done.stderr)
if done.returncode != 0:
    sys.exit("the checker failed")
share = float(done.stdout.split()[0])
if 0 < share < 1:
    with open(feedback + "score_multiplier.txt", "w") as file:
        file.write("%.12f\n" % share)
sys.exit(42 if share > 0 else 43)
