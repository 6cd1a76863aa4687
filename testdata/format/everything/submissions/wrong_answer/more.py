# @EXPECTED_RESULTS@: WRONG-ANSWER
print(int(input()) + 1, flush=True)
