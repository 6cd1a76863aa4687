// Written by `kopek import`: a manager of TPS as the output validator of an interactive problem.
//
//   validator input answer feedback/       talks with the submission
//   manager   from to < input              opens two pipes by name; prints a share from 0 to 1, and a message
//
// The manager's `fopen` is `open_pipe`, which gives it the streams of the submission: to read, and to write.
#include "adapter.h"

extern "C" int original_main(int, char **) __asm__("original_main");

static char from[] = "from-submission", to[] = "to-submission";
static int streams[2];

extern "C" FILE *open_pipe(const char *name, const char *mode) {
    if (strcmp(name, from) && strcmp(name, to)) return fopen(name, mode);
    return fdopen(dup(streams[*mode == 'r' ? 0 : 1]), mode);
}

int main(int count, char **words) {
    if (count < 4) failed("call: input answer feedback/");
    char name[] = "manager", *call[] = {name, from, to, 0};
    char *share = in_feedback(words[3], "share"), *messages = in_feedback(words[3], "judgemessage.txt");
    // They stay open here until the verdict is known: a submission that outlives the manager must not be blamed for
    // losing its partner.
    streams[0] = dup(0), streams[1] = dup(1);
    if (streams[0] < 0 || streams[1] < 0) failed("cannot keep the streams of the submission");
    int given = opened(words[1], O_RDONLY), shares = opened(share, O_WRONLY | O_CREAT | O_TRUNC);
    int said = opened(messages, O_WRONLY | O_CREAT | O_APPEND);
    off_t before = lseek(said, 0, SEEK_END);
    int code = run(original_main, 3, call, given, shares, said);
    char *text = beginning(share, 0), *rest = text;
    double value = strtod(text, &rest);
    bool printed = rest != text;
    unlink(share);
    if (code == KILLED_BY_PIPE) _exit(REFUSE);
    if (code != 0) failed("the manager failed");
    if (!printed) failed("the manager printed no share");
    if (!strncmp(beginning(messages, before), "Judge Failure", 13)) failed("the manager failed");
    if (value <= 0.00001) _exit(REFUSE);
    if (value < 1) write_share(words[3], value);
    _exit(ACCEPT);
}
