/* Written by `kopek import`.
 *
 * The unchanged original is beside this file. It is compiled into the same program
 * with its `main` renamed, and runs in a child process, so that its exit can be
 * translated to the problem package format: exit code 42 accepts, 43 refuses,
 * any other is a failure of the judge. Valid C and C++. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ACCEPT = 42, REFUSE = 43, FAILED = 1, KILLED_BY_PIPE = -1, KILLED = -2 };

typedef int entry(int, char **);

static void failed(const char *what) {
    fprintf(stderr, "%s\n", what);
    fflush(stderr);
    /* No destructors: those of the original must not print here. */
    _exit(FAILED);
}

/* A path in the feedback directory, whose name ends with a slash. */
static char *in_feedback(const char *feedback, const char *name) {
    char *path = (char *)malloc(strlen(feedback) + strlen(name) + 1);
    if (!path) failed("no memory");
    strcpy(path, feedback);
    return strcat(path, name);
}

static void put(int to, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t done = write(to, bytes, size);
        if (done <= 0) failed("cannot write a file");
        bytes += done;
        size -= (size_t)done;
    }
}

/* Saves the rest of standard input to a file. */
static void save_input(int to) {
    static char buffer[1 << 16];
    ssize_t size;
    while ((size = read(0, buffer, sizeof buffer)) > 0) put(to, buffer, (size_t)size);
    if (size < 0) failed("cannot read standard input");
}

static int opened(const char *path, int flags) {
    int file = open(path, flags, 0644);
    if (file < 0) failed("cannot open a file of the feedback directory");
    return file;
}

/* The beginning of a file, from an offset. */
static char *beginning(const char *path, off_t from) {
    static char text[1 << 12];
    int file = opened(path, O_RDONLY);
    ssize_t size = pread(file, text, sizeof text - 1, from);
    close(file);
    text[size > 0 ? size : 0] = 0;
    return text;
}

/* Runs the original with these arguments and streams (negative: those of the
 * adapter). Returns its exit code, or how it was killed. */
static int run(entry *original, int count, char **words, int in, int out, int err) {
    int status = 0;
    pid_t child = fork();
    if (child < 0) failed("cannot start a process");
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        if (in >= 0) dup2(in, 0);
        if (out >= 0) dup2(out, 1);
        if (err >= 0) dup2(err, 2);
        exit(original(count, words));
    }
    if (waitpid(child, &status, 0) < 0) failed("lost the original program");
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    return WTERMSIG(status) == SIGPIPE ? KILLED_BY_PIPE : KILLED;
}

/* The submission's share of the points, below 1. */
static void write_share(const char *feedback, double share) {
    FILE *file = fopen(in_feedback(feedback, "score_multiplier.txt"), "w");
    if (!file || fprintf(file, "%.12f\n", share) < 0 || fclose(file)) failed("cannot write the score");
}
