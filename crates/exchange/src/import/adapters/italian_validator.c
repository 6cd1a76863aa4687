/* Written by `kopek import`: a validator of the Italian format as an input validator.
 *
 *   validator SUBTASK < input
 *   original  FILE SUBTASK       exit code 0 accepts */
#include "adapter.h"

int original_main(int, char **) __asm__("original_main");

int main(int count, char **words) {
    char name[] = "validator", here[] = "./input-XXXXXX", aside[] = "/tmp/input-XXXXXX", one[] = "1";
    char *path = here, *call[4] = {name, here, one, 0};
    int code, file = mkstemp(here);
    if (file < 0) file = mkstemp(path = aside);
    if (file < 0) failed("no place for a file: the working directory and /tmp cannot be written");
    save_input(file);
    close(file);
    call[1] = path;
    if (count > 1) call[2] = words[1];
    code = run(original_main, 3, call, -1, 2, -1);
    unlink(path);
    _exit(code == 0 ? ACCEPT : REFUSE);
}
