import sys

number = int(open(sys.argv[1]).read())
reply = sys.stdin.read().split()
feedback = sys.argv[3]
if number >= 50:
    open(feedback + "score.txt", "w").write(f"{number}\n")
sys.exit(42 if reply == [str(2 * number)] else 43)
