# Wrong where longer parts have the same letters in another order.
def name(part):
    return "".join(sorted(part))


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
