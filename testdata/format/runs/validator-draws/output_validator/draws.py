import sys

open(sys.argv[3] + "judgeimage.svg", "w").write('<svg xmlns="http://www.w3.org/2000/svg"/>\n')
open(sys.argv[3] + "points", "w").write("1 2\n")
sys.exit(42 if sys.stdin.read() else 43)
