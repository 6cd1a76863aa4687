let n: Int = "seven"
print(n)
