#include "steps.h"
#include <cstdlib>

long long steps(long long n) { if (n > 100) std::abort(); return n * n; }
