# A right solution: every case must be accepted. Add one in each language that you allow.
input()
print(sum(map(int, input().split())))
