class Row:
    """A row of coins, and whose turn it is."""

    def __init__(self, text):
        numbers = iter(text.split())
        self.size = int(next(numbers))
        self.coins = [int(number) for number in numbers]

    def prefix_sums(self):
        sums = [0]
        for coin in self.coins:
            sums.append(sums[-1] + coin)
        return sums

    def value(self):
        sums = self.prefix_sums()
        current = [0] * (self.size + 1)
        for width in range(1, self.size + 1):
            following = []
            for start in range(self.size - width + 1):
                everything = sums[start + width] - sums[start]
                following.append(everything - min(current[start], current[start + 1]))
            current = following
        return current[0]


with open(0) as stream:
    print(Row(stream.read()).value())
