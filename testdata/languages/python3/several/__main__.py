from summing import total

print(total(open(0).read().split()))
