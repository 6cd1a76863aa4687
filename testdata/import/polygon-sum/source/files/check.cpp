#include "testlib.h"
int main() { return 0; }
