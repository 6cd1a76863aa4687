words = input().split()
largest = int(words[0])
for word in words[1:]:
    if int(word) > largest:
        largest = int(word)
print(largest)
