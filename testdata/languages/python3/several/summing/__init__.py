from .tokens import numbers


def total(tokens):
    return sum(numbers(tokens))
