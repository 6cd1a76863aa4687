#include "sum.h"
int sum(int, int) { return 0; }
