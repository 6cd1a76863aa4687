/* Written by `kopek import`: a checker of the Italian format as an output validator.
 *
 *   validator input answer feedback/ < output
 *   checker   input answer output        prints a share from 0 to 1, and a message as error */
#include "adapter.h"

int original_main(int, char **) __asm__("original_main");

int main(int count, char **words) {
    char name[] = "checker", *call[5] = {name, 0, 0, 0, 0}, *end = 0, *said, *output, *share;
    int file, messages, shares, code;
    double value;
    if (count < 4) failed("call: input answer feedback/");
    output = in_feedback(words[3], "output"), share = in_feedback(words[3], "share");
    file = opened(output, O_WRONLY | O_CREAT | O_TRUNC);
    save_input(file);
    close(file);
    call[1] = words[1], call[2] = words[2], call[3] = output;
    messages = opened(in_feedback(words[3], "judgemessage.txt"), O_WRONLY | O_CREAT | O_APPEND);
    shares = opened(share, O_WRONLY | O_CREAT | O_TRUNC);
    code = run(original_main, 4, call, -1, shares, messages);
    said = beginning(share, 0);
    unlink(output);
    unlink(share);
    if (code != 0) failed("the checker failed");
    value = strtod(said, &end);
    if (end == said) failed("the checker printed no share");
    if (value <= 0) _exit(REFUSE);
    if (value < 1) write_share(words[3], value);
    _exit(ACCEPT);
}
