// Written by `kopek import`: a testlib interactor and its checker as the output
// validator of an interactive problem.
//
//   validator  input answer feedback/ arguments...      talks with the submission
//   interactor input protocol answer arguments...       talks with the submission
//   checker    input protocol answer arguments...       judges what the interactor wrote
//
// The pipes stay open until the verdict is known: a submission that outlives the
// interactor must not be blamed for losing its partner.
#include "testlib_judge.h"

extern "C" int original_main(int, char **) __asm__("original_main");
int checker_main(int, char **);

/* Each has a copy of testlib, which fails at exit if the program never registered. */
void original_sleeps();
void checker_sleeps();

static int interact(int count, char **words) {
    checker_sleeps();
    return original_main(count, words);
}

static int check(int count, char **words) {
    original_sleeps();
    return checker_main(count, words);
}

int main(int count, char **words) {
    struct call call = read_call(count, words);
    char *protocol = in_feedback(call.feedback, "protocol"), *said;
    close(opened(protocol, O_WRONLY | O_CREAT | O_TRUNC));
    int code = ask(interact, &call, words[1], protocol, words[2], -1, -1, &said);
    if (code == 0) {
        int nothing = opened("/dev/null", O_RDONLY);
        code = ask(check, &call, words[1], protocol, words[2], nothing, 2, &said);
    }
    unlink(protocol);
    _exit(judged(&call, code, said));
}
