"""The literal game with memory: right, and enough for ten coins."""
import sys

sys.setrecursionlimit(1 << 30)
known = {}


def ahead(table):
    """The literal game: a table is a tuple of (is it a stack?, coins)."""
    if table not in known:
        best = None
        for at, (stack, coins) in enumerate(table):
            for left in ([True] if stack else [True, False]):
                coin, rest = (coins[0], coins[1:]) if left else (coins[-1], coins[:-1])
                after = table[:at] + (((stack, rest),) if rest else ()) + table[at + 1:]
                gain = coin - ahead(after)
                best = gain if best is None else max(best, gain)
        known[table] = best or 0
    return known[table]


def main():
    words = sys.stdin.read().split()
    at, table = 1, []
    for _ in range(int(words[0])):
        length = int(words[at + 1])
        table.append((words[at] == "S", tuple(map(int, words[at + 2:at + 2 + length]))))
        at += 2 + length
    value = ahead(tuple(table))
    print(value, (sum(sum(coins) for _, coins in table) + value) // 2)


main()
