local nothing = nil
print(nothing.length)
