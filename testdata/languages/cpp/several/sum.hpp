#pragma once
#include <istream>

long long sum_of(std::istream &in);
