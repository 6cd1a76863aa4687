func total(_ text: String) -> Int {
    return text.split(separator: " ").dropFirst().map { Int($0)! }.reduce(0, +)
}
