from times import times

print(times(int(input())), flush=True)
