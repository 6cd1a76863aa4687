#include "sum.hpp"

long long sum_of(std::istream &in) {
    long long n = 0, x, sum = 0;
    for (in >> n; n-- > 0 && in >> x;) sum += x;
    return sum;
}
