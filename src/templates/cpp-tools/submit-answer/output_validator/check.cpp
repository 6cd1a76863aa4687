// Judges an output: check input answer feedback_dir < output. Exit code 42: accepted; 43: wrong answer;
// anything else is our own mistake. Remove this directory where only one output is right.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

std::string feedback;

[[noreturn]] void refuse(const std::string& message) {
    // For the judges; a file `teammessage.txt` would be for the contestant.
    std::ofstream(feedback + "/judgemessage.txt") << message << '\n';
    std::exit(43);
}

// The next number, whatever bytes come.
long long number() {
    std::string word;
    std::cin >> word;
    bool is_number = !word.empty() && word.size() <= 13;
    for (char digit : word) is_number = is_number && '0' <= digit && digit <= '9';
    if (!is_number) refuse("`" + word.substr(0, 20) + "` is no number");
    return std::stoll(word);
}

int main(int, char** argv) {
    feedback = argv[3];
    long long n;
    std::ifstream(argv[1]) >> n;
    long long a = number(), b = number();
    std::string more;
    if (std::cin >> more) refuse("more than two numbers");
    if (a < 2 || b < 2 || n % a != 0 || n / a != b) {
        refuse(std::to_string(a) + " times " + std::to_string(b) + " is not a way to make " + std::to_string(n));
    }
    return 42;
}
