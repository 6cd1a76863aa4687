// Written by `kopek pack` for @SYSTEM@: the output validator of the package, and an adapter for the calling convention
// of @SYSTEM@. The feedback directory is in memory, because a checker may not write files there.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <signal.h>
#include <string>
#include <unistd.h>

namespace kopek {
const char FEEDBACK[] = "/kopek/feedback/";
struct feedback_file {
    const char *name;
    int reading, writing;
};
feedback_file score = {"score.txt", -1, -1}, multiplier = {"score_multiplier.txt", -1, -1},
              message = {"teammessage.txt", -1, -1};

// Opens a feedback file for the validator.
int open_feedback(const char *name) {
    for (feedback_file *file : {&score, &multiplier, &message})
        if (!strcmp(name, file->name)) {
            int ends[2];
            if (file->reading >= 0) close(file->reading);
            if (file->writing >= 0) close(file->writing);
            if (pipe(ends)) return -1;
            fcntl(ends[0], F_SETFL, O_NONBLOCK);
            fcntl(ends[1], F_SETFL, O_NONBLOCK);
            file->reading = ends[0], file->writing = ends[1];
            return dup(ends[1]);
        }
    return open("/dev/null", O_WRONLY);
}

std::string text_of(const feedback_file &file) {
    std::string text;
    char buffer[4096];
    ssize_t size;
    if (file.reading < 0) return text;
    while ((size = read(file.reading, buffer, sizeof buffer)) > 0) text.append(buffer, size);
    return text;
}

bool was_written(const feedback_file &file) { return file.reading >= 0; }

// The share of the points of an accepted output.
double share() {
    const double most = @MOST@;
    double value = 1;
    if (was_written(score)) value = strtod(text_of(score).c_str(), nullptr) / most;
    else if (was_written(multiplier)) value = strtod(text_of(multiplier).c_str(), nullptr);
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

// The first line of the message to the participant.
std::string first_line() {
    std::string text = text_of(message);
    return text.substr(0, text.find('\n'));
}

bool started = false;
void say_result(int code);

// Runs last, however the validator exits.
void at_exit(int code, void *) {
    if (!started) return;
    std::cout.flush();
    std::cerr.flush();
    fflush(nullptr);
    say_result(code);
}
__attribute__((constructor(101))) void hear_of_the_end() { on_exit(at_exit, nullptr); }

int call(int (*entry)(), int, char **) { return entry(); }
template <class Words> int call(int (*entry)(int, Words), int count, char **words) {
    return entry(count, (Words)words);
}

// Calls the validator with its arguments; ends the program.
template <class Entry> [[noreturn]] void judge(Entry entry, char *input, char *answer) {
    static char own[] = "validator", directory[sizeof FEEDBACK];
    static char arguments[][@LONGEST@] = {@ARGUMENTS@ ""};
    static char *words[sizeof arguments / sizeof *arguments + 4] = {own, input, answer, strcpy(directory, FEEDBACK)};
    int count = 4;
    for (size_t i = 0; i + 1 < sizeof arguments / sizeof *arguments; i++) words[count++] = arguments[i];
    started = true;
    exit(call(entry, count, words));
}

void redirect(int stream, const char *path, int flags) {
    int file = open(path, flags);
    if (file < 0) exit(1);
    dup2(file, stream);
    close(file);
}
} // namespace kopek

// Streams open their files by these two.
extern "C" FILE *fopen(const char *path, const char *mode) {
    if (!strncmp(path, kopek::FEEDBACK, sizeof kopek::FEEDBACK - 1)) {
        int file = kopek::open_feedback(path + sizeof kopek::FEEDBACK - 1);
        return file < 0 ? nullptr : fdopen(file, "w");
    }
    int flags = *mode == 'r' ? O_RDONLY : *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC : O_WRONLY | O_CREAT | O_APPEND;
    if (strchr(mode, '+')) flags = (flags & ~O_ACCMODE) | O_RDWR;
    int file = open(path, flags, 0666);
    return file < 0 ? nullptr : fdopen(file, mode);
}
extern "C" FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }
