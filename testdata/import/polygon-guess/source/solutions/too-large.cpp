#include <iostream>
#include <string>
int main() {
    int low = 1, high = 100;
    while (true) {
        int guess = 101;
        std::cout << guess << std::endl;
        std::string said;
        if (!(std::cin >> said) || said == "right") return 0;
        if (said == "greater") low = guess + 1;
        else high = guess - 1;
    }
}
