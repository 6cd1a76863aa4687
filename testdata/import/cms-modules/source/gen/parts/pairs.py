from limiti import LARGEST


def pair(seed):
    return seed * 7 % LARGEST, seed * 13 % LARGEST
