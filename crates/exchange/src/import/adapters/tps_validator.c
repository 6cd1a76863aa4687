/* Written by `kopek import`: a validator of TPS as an input validator.
 *
 *   validator (--run NAME argument...)... < input
 *   original  argument... < input                   exit code 0 accepts
 *
 * Runs the original once for each `--run` with its own name; without any nothing is asked of it. */
#include "adapter.h"

#ifdef __cplusplus
extern "C"
#endif
int original_main(int, char **) __asm__("original_main");

static char *input;
static size_t size;

static void keep_input(void) {
    size_t room = 0;
    ssize_t more = 1;
    while (more > 0) {
        if (size == room) {
            room = 2 * room + (1 << 16);
            input = (char *)realloc(input, room);
            if (!input) failed("no memory");
        }
        more = read(0, input + size, room - size);
        if (more < 0) failed("cannot read standard input");
        size += (size_t)more;
    }
}

static int accepts(int count, char **words) {
    int ends[2], code;
    pid_t writer;
    if (pipe(ends) != 0) failed("cannot make a pipe");
    writer = fork();
    if (writer < 0) failed("cannot start a process");
    if (writer == 0) {
        signal(SIGPIPE, SIG_DFL);
        close(ends[0]);
        put(ends[1], input, size);
        _exit(0);
    }
    close(ends[1]);
    code = run(original_main, count, words, ends[0], 2, -1);
    close(ends[0]);
    waitpid(writer, 0, 0);
    return code == 0;
}

int main(int count, char **words) {
    char name[] = "validator", **call = (char **)calloc((size_t)count + 2, sizeof *words);
    int at = 1, length;
    if (!call) failed("no memory");
    keep_input();
    while (at < count) {
        int own = at + 1 < count && !strcmp(words[at], "--run") && !strcmp(words[at + 1], "@NAME@");
        call[0] = name, length = 1;
        for (at += 2; at < count && strcmp(words[at], "--run"); at++) call[length++] = words[at];
        call[length] = 0;
        if (own && !accepts(length, call)) _exit(REFUSE);
    }
    _exit(ACCEPT);
}
