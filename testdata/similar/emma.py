import sys
from functools import lru_cache

sys.setrecursionlimit(100000)


def read_input():
    words = sys.stdin.read().split()
    count = int(words[0])
    return [int(word) for word in words[1:count + 1]]


def solve(coins):
    @lru_cache(maxsize=None)
    def gain(left, right):
        if left == right:
            return coins[left]
        take_left = coins[left] - gain(left + 1, right)
        take_right = coins[right] - gain(left, right - 1)
        return max(take_left, take_right)

    if not coins:
        return 0
    return (sum(coins) + gain(0, len(coins) - 1)) // 2


def main():
    coins = read_input()
    answer = solve(coins)
    print(answer)


if __name__ == "__main__":
    main()
