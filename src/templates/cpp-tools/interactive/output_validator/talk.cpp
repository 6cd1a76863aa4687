// The judge's side of the conversation: talk input answer feedback_dir, standard input is what the
// solution prints, standard output what it reads. Exit code 42: accepted; 43: wrong answer; anything
// else is our own mistake.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

const int GUESSES = {{guesses}};  // a constant of problem.yaml
std::string feedback;

[[noreturn]] void end(int code, const std::string& message) {
    // For the judges; a file `teammessage.txt` would be for the contestant.
    std::ofstream(feedback + "/judgemessage.txt") << message << '\n';
    std::_Exit(code);
}

void say(const std::string& word) {
    // Always flush: the solution waits for it.
    std::cout << word << std::endl;
    if (!std::cout) end(43, "the solution is gone");
}

// A guess on a line of its own, whatever bytes come.
int guess(int turn) {
    std::string line;
    for (int byte; line.size() < 9 && (byte = std::cin.get()) != '\n' && byte != EOF;) line += static_cast<char>(byte);
    std::string digits = line.substr(0, line.find_last_not_of(" \r") + 1);
    if (digits.empty() || line.size() == 9 || digits.find_first_not_of("0123456789") != std::string::npos) {
        end(43, "guess " + std::to_string(turn) + " is no number");
    }
    return std::stoi(digits);
}

int main(int, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a solution may end before we do
    feedback = argv[3];
    int n, number;
    std::ifstream(argv[1]) >> n >> number;
    say(std::to_string(n));
    for (int turn = 1; turn <= GUESSES; turn++) {
        int guessed = guess(turn);
        if (guessed == number) {
            say("right");
            std::string more;
            end(std::cin >> more ? 43 : 42, "found with " + std::to_string(turn) + " guesses");
        }
        say(guessed < number ? "higher" : "lower");
    }
    end(43, "not found with " + std::to_string(GUESSES) + " guesses");
}
