# A wrong solution: some case must catch it. Add those that contestants will write.
input()
print(sum(abs(int(x)) for x in input().split()))
