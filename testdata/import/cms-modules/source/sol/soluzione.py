from parts import total

print(total(input()))
