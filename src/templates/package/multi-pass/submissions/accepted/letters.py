# A right solution: the letters are digits of base 26. Every case must be accepted.
if input() == "encode":
    n, word = int(input()), ""
    while n:
        n, digit = divmod(n, 26)
        word = chr(ord("a") + digit) + word
    print(word)
else:
    n = 0
    for letter in input():
        n = 26 * n + ord(letter) - ord("a")
    print(n)
