#include "feedback.h"
#include <iostream>

int main(int, char **arguments) {
    long long right = 0, own = 0;
    std::ifstream answer(arguments[2]);
    answer >> right;
    if (!(std::cin >> own)) end(43, arguments[3], "no number");
    std::string more;
    if (std::cin >> more) end(43, arguments[3], "more than a number");
    if (own == right) end(42, arguments[3], "right");
    if (own != right - 1 && own != right + 1) end(43, arguments[3], "far off");
    std::ofstream(std::string(arguments[3]) + "score_multiplier.txt") << 0.5;
    end(42, arguments[3], "off by one");
}
