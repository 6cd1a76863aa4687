// A tiny stand-in for the variant of the library that TPS brings along: its order of files, and the share and
// the message that it prints. Written for these tests.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

static const std::string _ok = "Output is correct", _wa = "Output isn't correct";
static const std::string _points = "Output is partially correct", _fail = "Judge Failure; Contact staff!";
static std::ifstream inf, ouf, ans;

static void registerChecker(const char *, int argc, char **argv) {
    if (argc != 4) std::exit(9);
    inf.open(argv[1]), ans.open(argv[2]), ouf.open(argv[3]);
}

[[noreturn]] static void quit(const std::string &result, const std::string &reason = "") {
    std::printf("%d\n", result == _ok ? 1 : 0);
    std::fprintf(stderr, "%s\n%s\n", result.c_str(), reason.c_str());
    std::exit(0);
}

[[noreturn]] static void quitp(double share) {
    std::printf("%.5f\n", share > 0 ? share : 0.00001);
    std::fprintf(stderr, "%s\n", _points.c_str());
    std::exit(0);
}
