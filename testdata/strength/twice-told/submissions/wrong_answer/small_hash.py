# Wrong where two other parts have the same remainder modulo 10007.
def name(part):
    value = 0
    for letter in part.encode():
        value = (value * 257 + letter) % 10007
    return value


def main():
    text = input()

    def repeated(length):
        seen, found = set(), []
        for at in range(len(text) - length + 1):
            part = text[at:at + length]
            if name(part) in seen:
                found.append(part)
            seen.add(name(part))
        return min(found, default=None)

    low, high, best = 1, len(text) - 1, None
    while low <= high:
        middle = (low + high) // 2
        part = repeated(middle)
        if part is None:
            high = middle - 1
        else:
            best, low = part, middle + 1
    print(f"{len(best)} {best}" if best else "0")


main()
