var text = ""
while let line = readLine() {
    text += line + " "
}
print(total(text))
