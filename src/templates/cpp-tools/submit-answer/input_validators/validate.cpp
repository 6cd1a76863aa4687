// What an input must look like, to the byte. Exit code 42: valid; 43: not.
//
// Change what main() reads to what your statement says. The bounds are the constants of problem.yaml.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

[[noreturn]] void refuse(const std::string& why) {
    std::cerr << why << '\n';
    std::exit(43);
}

// A number as it is usually written, and the byte behind it.
long long number(const std::string& name, long long least, long long greatest, char end) {
    std::string text;
    for (int byte; (byte = std::cin.get()) != end; text += static_cast<char>(byte)) {
        if (byte == EOF || text.size() > 18) refuse(name + " does not end where it should");
    }
    long long value = std::strtoll(text.c_str(), nullptr, 10);
    if (std::to_string(value) != text) refuse(name + " is no number");
    if (value < least || value > greatest) refuse(name + " = " + text + " is out of bounds");
    return value;
}

int main() {
    long long n = number("n", 4, {{n_max}}, '\n');
    long long factor = 2;
    while (n % factor != 0 && factor * factor <= n) factor++;
    if (n % factor != 0) refuse("n is prime");
    if (std::cin.get() != EOF) refuse("something follows the last line");
    return 42;
}
