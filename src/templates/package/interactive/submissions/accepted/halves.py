# A right solution: every case must be accepted. Add one in each language that you allow.
low, high = 1, int(input())
answer = ""
while answer != "right":
    guess = (low + high) // 2
    print(guess, flush=True)
    answer = input()
    if answer == "higher":
        low = guess + 1
    else:
        high = guess - 1
