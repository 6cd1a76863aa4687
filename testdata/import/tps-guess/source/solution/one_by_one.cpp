#include "guess.h"

void guess() {
    for (int number = 1; ask(number); number++) {}
}
