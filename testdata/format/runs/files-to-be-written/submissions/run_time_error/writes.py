n = int(input())
open("note.txt", "w").write("x")
print(2 * n)
