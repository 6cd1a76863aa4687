#include "guess.h"

void guess() {
    ask(1);
}
