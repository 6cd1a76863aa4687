n = int(input())
open("note.txt", "w").write(str(2 * n))
print(open("note.txt").read())
