#include "sum.hpp"
#include <iostream>

int main() { std::cout << sum_of(std::cin) << '\n'; }
