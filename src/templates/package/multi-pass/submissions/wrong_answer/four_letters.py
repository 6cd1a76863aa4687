# A wrong solution: four letters are not enough for large numbers.
if input() == "encode":
    n, word = int(input()), ""
    while n and len(word) < 4:
        n, digit = divmod(n, 26)
        word = chr(ord("a") + digit) + word
    print(word)
else:
    n = 0
    for letter in input():
        n = 26 * n + ord(letter) - ord("a")
    print(n)
