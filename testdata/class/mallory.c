/* Hostile: starts as many processes as it can (300 at most, each for a second) and answers nothing. */
#include <sys/types.h>
#include <unistd.h>

int main(void) {
    for (int i = 0; i < 300; i++) {
        pid_t child = fork();
        if (child == 0) {
            sleep(1);
            _exit(0);
        }
        if (child < 0) return 1;
    }
    return 0;
}
