"""Reads stacks from bottom to top."""
import sys


def main():
    words = sys.stdin.buffer.read().split()
    at, rest, total, coins, traps = 1, [], 0, 0, 0
    for _ in range(int(words[0])):
        kind, length = words[at], int(words[at + 1])
        row = []
        coins_of = list(map(int, words[at + 2:at + 2 + length]))
        for v in reversed(coins_of) if kind == b"S" else coins_of:
            total += v
            while len(row) >= 2 and row[-2] <= row[-1] >= v:
                peak = row.pop()
                v += row.pop() - peak
            row.append(v)
        at += 2 + length
        coins += length
        while kind == b"S" and len(row) >= 2 and row[-2] <= row[-1]:
            traps -= row.pop()
            traps += row.pop()
        rest += row
    rest.sort(reverse=True)
    ahead = sum(rest[::2]) - sum(rest[1::2]) + (traps if coins % 2 == 0 else -traps)
    print(ahead, (total + ahead) // 2)


main()
