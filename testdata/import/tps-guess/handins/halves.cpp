#include "guess.h"

void guess() {
    int low = 1, high = 100, reply = 1;
    while (reply) {
        int middle = (low + high) / 2;
        reply = ask(middle);
        (reply < 0 ? low : high) = reply < 0 ? middle + 1 : middle - 1;
    }
}
