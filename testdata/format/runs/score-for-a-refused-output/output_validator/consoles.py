import sys

number = int(open(sys.argv[1]).read())
reply = sys.stdin.read().split()
feedback = sys.argv[3]
if reply != [str(2 * number)]:
    open(feedback + "score.txt", "w").write("1\n")
sys.exit(42 if reply == [str(2 * number)] else 43)
