# A wrong solution: it needs too many guesses for large numbers.
n = int(input())
for guess in range(1, n + 1):
    print(guess, flush=True)
    if input() == "right":
        break
