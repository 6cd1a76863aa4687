// What an input must look like, to the byte. Exit code 42: valid; 43: not.
//
// Change what main() reads to what your statement says. The bounds are the constants of problem.yaml.
// A group may give tighter ones as arguments (`input_validator_args` in generators.yaml): a case in
// the wrong group is found.
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

int main(int argc, char** argv) {
    long long n_max = {{n_max}};
    for (int i = 1; i < argc; i++) {
        std::string argument = argv[i];
        if (argument.rfind("--max-n=", 0) == 0) n_max = std::stoll(argument.substr(8));
    }
    long long n = number("n", 1, n_max, '\n');
    for (long long i = 1; i <= n; i++) number("x", -{{value_max}}, {{value_max}}, i < n ? ' ' : '\n');
    if (std::cin.get() != EOF) refuse("something follows the last line");
    return 42;
}
