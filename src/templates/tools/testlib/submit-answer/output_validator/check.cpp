// Judges an output: check input answer feedback_dir < output. Exit code 42: accepted; 43: wrong answer;
// anything else is our own mistake. Remove this directory where only one output is right.
#define OK_EXIT_CODE 42
#define WA_EXIT_CODE 43
#define PE_EXIT_CODE 43
#define DIRT_EXIT_CODE 43
#define UNEXPECTED_EOF_EXIT_CODE 43
#include "testlib.h"

#include <cstdio>
#include <string>

int main(int, char** argv) {
    // For the judges; a file `teammessage.txt` would be for the contestant.
    std::string message = std::string(argv[3]) + "/judgemessage.txt";
    if (!std::freopen(message.c_str(), "w", stderr)) return 1;
    // testlib wants the output as a file: the answer stands there until it is told better.
    char* words[] = {argv[0], argv[1], argv[2], argv[2], nullptr};
    registerTestlibCmd(4, words);
    ouf.init(stdin, _output);
    long long n = inf.readLong();
    long long a = ouf.readLong(2LL, n, "a"), b = ouf.readLong(2LL, n, "b");
    if (n % a != 0 || n / a != b) quitf(_wa, "%lld times %lld is not a way to make %lld", a, b, n);
    quitf(_ok, "%lld times %lld", a, b);
}
