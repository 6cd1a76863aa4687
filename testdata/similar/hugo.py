import sys

data = sys.stdin.buffer.read().split()
size, coins = int(data[0]), tuple(map(int, data[1:]))
stack, done = [(0, size)], {}
while stack:
    low, high = stack[-1]
    if (low, high) in done:
        stack.pop()
        continue
    if high - low <= 1:
        done[low, high] = coins[low] if high > low else 0
        stack.pop()
        continue
    missing = [pair for pair in ((low + 1, high), (low, high - 1)) if pair not in done]
    if missing:
        stack += missing
        continue
    done[low, high] = max(coins[low] - done[low + 1, high], coins[high - 1] - done[low, high - 1])
    stack.pop()
difference = done[0, size]
assert (sum(coins) + difference) % 2 == 0
sys.stdout.write("%d\n" % ((sum(coins) + difference) >> 1))
