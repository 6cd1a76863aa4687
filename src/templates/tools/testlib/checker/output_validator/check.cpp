// Judges an output: check input answer feedback_dir < output. Exit code 42: accepted; 43: wrong answer;
// anything else is our own mistake. What a group says (`output_validator_args`) follows.
//
// Change what it reads and asks for to what your statement says.
#define OK_EXIT_CODE 42
#define WA_EXIT_CODE 43
#define PE_EXIT_CODE 43
#define DIRT_EXIT_CODE 43
#define UNEXPECTED_EOF_EXIT_CODE 43
#include "testlib.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

int main(int, char** argv) {
    // For the judges; a file `teammessage.txt` would be for the contestant.
    std::string message = std::string(argv[3]) + "/judgemessage.txt";
    if (!std::freopen(message.c_str(), "w", stderr)) return 1;
    // testlib wants the output as a file: the answer stands there until it is told better.
    char* words[] = {argv[0], argv[1], argv[2], argv[2], nullptr};
    registerTestlibCmd(4, words);
    ouf.init(stdin, _output);
    std::vector<int> numbers(inf.readInt());
    for (int& x : numbers) x = inf.readInt();
    int position = ouf.readInt(1, static_cast<int>(numbers.size()), "position");
    int chosen = numbers[position - 1], greatest = *std::max_element(numbers.begin(), numbers.end());
    if (chosen < greatest) quitf(_wa, "%d is not the greatest number", chosen);
    quitf(_ok, "position %d", position);
}
