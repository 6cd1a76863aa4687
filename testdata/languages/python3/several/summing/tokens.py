def numbers(tokens):
    return [int(token) for token in tokens[1:]]
