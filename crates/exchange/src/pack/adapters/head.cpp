// Written by `kopek pack` for @SYSTEM@: the output validator of the package, and an adapter for the calling convention
// of @SYSTEM@. The feedback directory is in memory, because a checker may not write files there.
//
// The adapter includes only what every stream includes, and its names are in its namespace: all others are the validator's.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

namespace kopek {
// Functions of Linux under their second names: a validator's variable `open` or `read` would hide the first ones.
extern "C" {
int open_file(const char *, int, ...) __asm__("__open");
int close_file(int) __asm__("__close");
long read_file(int, void *, unsigned long) __asm__("__read");
int control_file(int, int, ...) __asm__("__fcntl");
int replace_file(int, int) __asm__("__dup2");
int make_pipe(int *) __asm__("__pipe");
void (*handle_signal(int, void (*)(int)))(int) __asm__("__sysv_signal");
}
enum open_flag { to_read = 0, to_write = 1, to_do_both = 2, create = 0100, truncate = 01000, append = 02000 };

int copy_of(int file) { return control_file(file, 0 /* F_DUPFD */, 0); }

void never_wait(int file) { control_file(file, 4 /* F_SETFL */, 04000 /* O_NONBLOCK */); }

void survive_closed_pipes() { handle_signal(13 /* SIGPIPE */, (void (*)(int))1 /* SIG_IGN */); }

const bool interactive = @INTERACTIVE@;
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
        if (!__builtin_strcmp(name, file->name)) {
            int ends[2];
            if (file->reading >= 0) close_file(file->reading);
            if (file->writing >= 0) close_file(file->writing);
            if (make_pipe(ends)) return -1;
            never_wait(ends[0]);
            never_wait(ends[1]);
            file->reading = ends[0], file->writing = ends[1];
            return copy_of(ends[1]);
        }
    return open_file("/dev/null", to_write);
}

std::string text_of(const feedback_file &file) {
    std::string text;
    char buffer[4096];
    long size;
    if (file.reading < 0) return text;
    while ((size = read_file(file.reading, buffer, sizeof buffer)) > 0) text.append(buffer, size);
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
    __builtin_strcpy(directory, FEEDBACK);
    static char *words[sizeof arguments / sizeof *arguments + 4] = {own, input, answer, directory};
    int count = 4;
    for (size_t i = 0; i + 1 < sizeof arguments / sizeof *arguments; i++) words[count++] = arguments[i];
    started = true;
    exit(call(entry, count, words));
}

void redirect(int stream, const char *path, open_flag flag) {
    int file = open_file(path, flag);
    if (file < 0) exit(1);
    replace_file(file, stream);
    close_file(file);
}
} // namespace kopek

// Streams open their files by these two.
extern "C" FILE *fopen(const char *path, const char *mode) {
    if (!__builtin_strncmp(path, kopek::FEEDBACK, sizeof kopek::FEEDBACK - 1)) {
        int file = kopek::open_feedback(path + sizeof kopek::FEEDBACK - 1);
        return file < 0 ? nullptr : fdopen(file, "w");
    }
    int flags = kopek::to_read;
    if (*mode != 'r') flags = kopek::to_write | kopek::create | (*mode == 'w' ? kopek::truncate : kopek::append);
    if (__builtin_strchr(mode, '+')) flags = (flags & ~kopek::to_write) | kopek::to_do_both;
    int file = kopek::open_file(path, flags, 0666);
    return file < 0 ? nullptr : fdopen(file, mode);
}
extern "C" FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }
