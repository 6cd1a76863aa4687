# Too slow where long parts are repeated: compares all pairs letter by letter.
def main():
    text = input()
    best = ""
    for i in range(len(text)):
        for j in range(i + 1, len(text)):
            length = 0
            while j + length < len(text) and text[i + length] == text[j + length]:
                length += 1
            part = text[i:i + length]
            if length > len(best) or (length == len(best) and part < best):
                best = part
    print(f"{len(best)} {best}" if best else "0")


main()
