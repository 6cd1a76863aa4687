print(int(input()) * int(open("two.txt").read()))
