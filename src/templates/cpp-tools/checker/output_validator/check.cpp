// Judges an output: check input answer feedback_dir < output. Exit code 42: accepted; 43: wrong answer;
// anything else is our own mistake. What a group says (`output_validator_args`) follows.
//
// Change what it reads and asks for to what your statement says.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

std::string feedback;

[[noreturn]] void refuse(const std::string& message) {
    // For the judges; a file `teammessage.txt` would be for the contestant.
    std::ofstream(feedback + "/judgemessage.txt") << message << '\n';
    std::exit(43);
}

int main(int, char** argv) {
    feedback = argv[3];
    std::ifstream input(argv[1]);
    std::size_t n;
    input >> n;
    std::vector<int> numbers(n);
    for (int& x : numbers) input >> x;
    if (!input) return 1;
    std::string word, more;
    std::cin >> word;
    if (std::cin >> more) refuse("more than one word");
    // As text first: `>> int` would take `+1` and `1x`, too.
    bool is_number = !word.empty() && word.size() <= 18 && word[0] != '0' &&
                     std::all_of(word.begin(), word.end(), [](char c) { return '0' <= c && c <= '9'; });
    if (!is_number) refuse("`" + word.substr(0, 20) + "` is no position");
    std::size_t position = std::stoul(word);
    if (position > n) refuse("there is no position " + word);
    if (numbers[position - 1] < *std::max_element(numbers.begin(), numbers.end()))
        refuse(std::to_string(numbers[position - 1]) + " is not the greatest number");
    return 42;
}
