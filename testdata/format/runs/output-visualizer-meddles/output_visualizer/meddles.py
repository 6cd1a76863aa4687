import sys

open(sys.argv[3] + "score.txt", "w").write("0\n")
