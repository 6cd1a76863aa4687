// Judges a run: check input answer feedback_dir < what the solution printed. Exit code 42: accepted,
// and run once more if there is a file `nextpass.in`; 43: wrong answer.
//
// The files in feedback_dir stay from run to run: that is how the judge remembers the number.
#define OK_EXIT_CODE 42
#define WA_EXIT_CODE 43
#define PE_EXIT_CODE 43
#define DIRT_EXIT_CODE 43
#define UNEXPECTED_EOF_EXIT_CODE 43
#include "testlib.h"

#include <cstdio>
#include <fstream>
#include <string>

int main(int, char** argv) {
    std::string feedback = std::string(argv[3]) + "/", number;
    // For the judges; a file `teammessage.txt` would be for the contestant.
    if (!std::freopen((feedback + "judgemessage.txt").c_str(), "w", stderr)) return 1;
    // testlib wants the output as a file: the answer stands there until it is told better.
    char* words[] = {argv[0], argv[1], argv[2], argv[2], nullptr};
    registerTestlibCmd(4, words);
    ouf.init(stdin, _output);
    if (std::ifstream(feedback + "number") >> number) {
        std::string decoded = ouf.readToken();
        if (decoded != number) quitf(_wa, "decoded `%.20s`, not %s", decoded.c_str(), number.c_str());
        quitf(_ok, "decoded %s", number.c_str());
    }
    std::string word = ouf.readToken("[a-z]{1,8}", "word");
    inf.readToken();
    std::ofstream(feedback + "number") << inf.readToken() << '\n';
    std::ofstream(feedback + "nextpass.in") << "decode\n" << word << '\n';
    quitf(_ok, "encoded as %s", word.c_str());
}
