// Written by `kopek import`: a testlib checker as an output validator.
//
//   validator input answer feedback/ arguments... < output
//   checker   input output answer arguments...
#include "testlib_judge.h"

extern "C" int original_main(int, char **) __asm__("original_main");

int main(int count, char **words) {
    struct call call = read_call(count, words);
    char *output = in_feedback(call.feedback, "output"), *said;
    int file = opened(output, O_WRONLY | O_CREAT | O_TRUNC);
    save_input(file);
    close(file);
    int code = ask(original_main, &call, words[1], output, words[2], -1, 2, &said);
    unlink(output);
    _exit(judged(&call, code, said));
}
