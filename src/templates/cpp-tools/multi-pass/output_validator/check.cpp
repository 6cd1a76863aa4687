// Judges a run: check input answer feedback_dir < what the solution printed. Exit code 42: accepted,
// and run once more if there is a file `nextpass.in`; 43: wrong answer.
//
// The files in feedback_dir stay from run to run: that is how the judge remembers the number.
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

int main(int, char** argv) {
    feedback = argv[3];
    std::string word, more, number;
    std::cin >> word;
    if (std::cin >> more) refuse("more than one word");
    if (std::ifstream(feedback + "/number") >> number) {
        if (word != number) refuse("decoded `" + word.substr(0, 20) + "`, not " + number);
        return 42;
    }
    bool is_word = !word.empty() && word.size() <= 8;
    for (char letter : word) is_word = is_word && 'a' <= letter && letter <= 'z';
    if (!is_word) refuse("`" + word.substr(0, 20) + "` is no word of 1 to 8 letters");
    std::ifstream(argv[1]) >> more >> number;
    std::ofstream(feedback + "/number") << number << '\n';
    std::ofstream(feedback + "/nextpass.in") << "decode\n" << word << '\n';
    return 42;
}
