import sys

open(sys.argv[3] + "nextpass.in", "w").write("1\n")
sys.exit(43)
