# Contestants may begin with this file. Write one for each language, or remove attachments/templates/.
n = int(input())
guess = 1
# Without `flush` the judge never sees the guess.
print(guess, flush=True)
answer = input()  # higher, lower or right
