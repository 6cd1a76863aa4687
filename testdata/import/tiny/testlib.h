// A tiny stand-in for the library that judge programs of Polygon are written with: its order of
// arguments, its exit codes and the beginnings of its messages, for the specimens beside it.
// Written for these tests; as there, names are global and not inline.
#ifndef TINY_TESTLIB
#define TINY_TESTLIB

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <string>

// As there, whoever includes it may say otherwise.
#ifndef OK_EXIT_CODE
#define OK_EXIT_CODE 0
#endif
#ifndef WA_EXIT_CODE
#define WA_EXIT_CODE 1
#endif
#ifndef PE_EXIT_CODE
#define PE_EXIT_CODE 2
#endif
#ifndef FAIL_EXIT_CODE
#define FAIL_EXIT_CODE 3
#endif
#ifndef DIRT_EXIT_CODE
#define DIRT_EXIT_CODE 4
#endif
#ifndef UNEXPECTED_EOF_EXIT_CODE
#define UNEXPECTED_EOF_EXIT_CODE 8
#endif

enum TResult { _ok = 0, _wa = 1, _pe = 2, _fail = 3, _dirt = 4, _points = 5, _unexpected_eof = 8, _partially = 16 };
#define _pc(percent) (TResult(_partially + (percent)))

enum TMode { _input, _output, _answer };
enum TTestlibMode { _unknown, _checker, _validator, _interactor, _generator };
TTestlibMode testlibMode = _unknown;
int quits = 0;

bool output_goes_on();

[[noreturn]] void quit(TResult result, const char *message) {
    ++::quits;
    if (result == _ok && testlibMode == _checker && output_goes_on()) quit(_dirt, "the output goes on");
    std::cout.flush();
    if (result >= _partially) {
        std::fprintf(stderr, "partially correct (%d) %s\n", result - _partially, message);
        std::exit(result - _partially);
    }
    const char *words[] = {"ok", "wrong answer", "wrong output format", "FAIL", "wrong output format", "points"};
    std::fprintf(stderr, "%s %s\n", result == _unexpected_eof ? "unexpected eof" : words[result], message);
    if (testlibMode == _validator) std::exit(FAIL_EXIT_CODE);
    switch (result) {
    case _ok: std::exit(OK_EXIT_CODE);
    case _wa: std::exit(WA_EXIT_CODE);
    case _pe: std::exit(PE_EXIT_CODE);
    case _dirt: std::exit(DIRT_EXIT_CODE);
    case _points: std::exit(7);
    case _unexpected_eof: std::exit(UNEXPECTED_EOF_EXIT_CODE);
    default: std::exit(FAIL_EXIT_CODE);
    }
}

[[noreturn]] void quitf(TResult result, const char *format, ...) {
    char message[1000];
    va_list list;
    va_start(list, format);
    std::vsnprintf(message, sizeof message, format, list);
    va_end(list);
    quit(result, message);
}

[[noreturn]] void quitp(double points, const char *message) {
    quitf(_points, "%.10g %s", points, message);
}

// As there, a program that ends without having registered, or a checker without a verdict, is broken.
struct Guard {
    bool awake = true;
    ~Guard() {
        if (!awake || (testlibMode != _unknown && (testlibMode != _checker || quits > 0))) return;
        std::fprintf(stderr, testlibMode == _checker ? "FAIL Checker must end with a verdict\n" : "FAIL nothing was registered\n");
        std::_Exit(3);
    }
} guard;

void disableFinalizeGuard() { guard.awake = false; }

struct InStream {
    std::ifstream file;
    std::istream *from = nullptr;
    TResult blame = _fail;

    void open(const char *path, TResult whose) {
        file.open(path);
        if (!file) quit(_fail, "cannot open a file");
        from = &file, blame = whose;
    }
    void init(std::FILE *, TMode) { from = &std::cin; }
    bool seekEof() {
        *from >> std::ws;
        return from->peek() == EOF;
    }
    std::string readToken() {
        std::string token;
        if (!(*from >> token)) quit(blame == _fail ? _fail : _unexpected_eof, "a token was expected");
        return token;
    }
    std::string readToken(const char *pattern, const char *name) {
        std::string token = readToken();
        if (!std::regex_match(token, std::regex(pattern))) quitf(blame, "%s: not '%s'", name, token.c_str());
        return token;
    }
    int readInt(int least = -2147483647, int most = 2147483647, const char *name = "number") {
        return int(readLong(least, most, name));
    }
    long long readLong(long long least = -(1LL << 62), long long most = 1LL << 62, const char *name = "number") {
        std::string token;
        if (testlibMode == _validator) {
            while (from->peek() != ' ' && from->peek() != '\n' && from->peek() != EOF) token += char(from->get());
        } else {
            token = readToken();
        }
        char *end = nullptr;
        long long value = std::strtoll(token.c_str(), &end, 10);
        if (token.empty() || *end || std::to_string(value) != token) quitf(blame, "%s: an integer was expected, not '%s'", name, token.c_str());
        if (value < least || value > most) quitf(blame, "%s: %lld is not in [%lld, %lld]", name, value, least, most);
        return value;
    }
    void exactly(int wanted) {
        if (from->get() != wanted) quit(blame, "another character was expected");
    }
    void readSpace() { exactly(' '); }
    void readEoln() { exactly('\n'); }
    void readEof() { exactly(EOF); }
} inf, ouf, ans;
std::ofstream tout;

bool output_goes_on() { return ouf.from && !ouf.seekEof(); }

struct Validator {
    std::string name_of_set = "tests", name_of_group;
    std::string testset() { return name_of_set; }
    std::string group() { return name_of_group; }
} validator;

inline void registerTestlibCmd(int argc, char *argv[]) {
    testlibMode = _checker;
    if (argc < 4) quit(_fail, "call: checker input output answer");
    inf.open(argv[1], _fail), ouf.open(argv[2], _pe), ans.open(argv[3], _fail);
}

inline void registerInteraction(int argc, char *argv[]) {
    testlibMode = _interactor;
    if (argc < 3) quit(_fail, "call: interactor input output [answer]");
    inf.open(argv[1], _fail);
    tout.open(argv[2]);
    ouf.from = &std::cin, ouf.blame = _pe;
    if (argc > 3) ans.open(argv[3], _fail);
}

inline void registerValidation(int argc, char *argv[]) {
    testlibMode = _validator;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!std::strcmp(argv[i], "--testset")) validator.name_of_set = argv[i + 1];
        else if (!std::strcmp(argv[i], "--group")) validator.name_of_group = argv[i + 1];
        else quit(_fail, "unknown argument");
    }
    inf.from = &std::cin;
}

inline void registerValidation() {
    char *none[] = {nullptr};
    registerValidation(1, none);
}

struct Random {
    unsigned long long state = 1;
    int next(int from, int to) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return from + int((state >> 33) % (unsigned long long)(to - from + 1));
    }
} rnd;

inline void registerGen(int argc, char *argv[], int) {
    testlibMode = _generator;
    for (int i = 1; i < argc; i++)
        for (const char *c = argv[i]; *c; c++) rnd.state = rnd.state * 31 + (unsigned char)*c;
}

#endif
