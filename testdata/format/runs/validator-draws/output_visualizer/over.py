import sys

assert open(sys.argv[3] + "points").read() == "1 2\n" and "svg" in open(sys.argv[3] + "judgeimage.svg").read()
open(sys.argv[3] + "teamimage.svg", "w").write('<svg xmlns="http://www.w3.org/2000/svg"/>\n')
