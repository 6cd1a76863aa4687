#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

int main(int, char **arguments) {
    long long right = 0, own = 0;
    std::ifstream answer(arguments[2]);
    answer >> right;
    std::string more;
    if (!(std::cin >> own) || std::cin >> more || own != right) {
        std::ofstream(std::string(arguments[3]) + "judgemessage.txt") << "expected " << right << "\n";
        exit(43);
    }
    exit(42);
}
