// The judge's side of the conversation: talk input answer feedback_dir, standard input is what the
// solution prints, standard output what it reads. Exit code 42: accepted; 43: wrong answer; anything
// else is our own mistake.
#define OK_EXIT_CODE 42
#define WA_EXIT_CODE 43
#define PE_EXIT_CODE 43
#define DIRT_EXIT_CODE 43
#define UNEXPECTED_EOF_EXIT_CODE 43
#include "testlib.h"

#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>

const int GUESSES = {{guesses}};  // a constant of problem.yaml

int main(int, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a solution may end before we do
    std::string feedback = std::string(argv[3]) + "/", notes = feedback + "notes";
    // For the judges; a file `teammessage.txt` would be for the contestant.
    if (!std::freopen((feedback + "judgemessage.txt").c_str(), "w", stderr)) return 1;
    // testlib wants a file for notes of its own before the answer.
    char* words[] = {argv[0], argv[1], &notes[0], argv[2], nullptr};
    registerInteraction(4, words);
    int n = inf.readInt(), number = inf.readInt();
    // Always flush: the solution waits for it.
    std::cout << n << std::endl;
    for (int turn = 1; turn <= GUESSES; turn++) {
        int guess = ouf.readInt();
        if (guess == number) {
            std::cout << "right" << std::endl;
            if (!ouf.seekEof()) quitf(_wa, "the solution goes on after its right guess");
            quitf(_ok, "found with %d guesses", turn);
        }
        std::cout << (guess < number ? "higher" : "lower") << std::endl;
    }
    quitf(_wa, "not found with %d guesses", GUESSES);
}
