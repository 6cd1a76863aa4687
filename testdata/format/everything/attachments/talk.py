# Plays the judge: says a number and shows the reply.
print(7, flush=True)
