from factor import FACTOR, WORD

assert WORD == "nine {" + "{stranger}}" and {{factor.value}} == FACTOR
print(FACTOR * int(input()))
