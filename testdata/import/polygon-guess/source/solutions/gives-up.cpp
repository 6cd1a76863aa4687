#include <iostream>
int main() { std::cout << 7 << std::endl; }
