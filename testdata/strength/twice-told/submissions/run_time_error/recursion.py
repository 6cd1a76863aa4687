# Crashes where the part has about a thousand letters: recursion goes no deeper.
def main():
    text = input()

    def is_repeated(length):
        seen = set()
        for at in range(len(text) - length + 1):
            if text[at:at + length] in seen:
                return True
            seen.add(text[at:at + length])
        return False

    def longest(length):
        return longest(length + 1) if is_repeated(length + 1) else length

    best = longest(0)
    seen, found = set(), []
    for at in range(len(text) - best + 1):
        part = text[at:at + best]
        (found.append if part in seen else seen.add)(part)
    print(f"{best} {min(found)}" if best else "0")


main()
