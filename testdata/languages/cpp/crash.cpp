#include <vector>

int main() {
    std::vector<int> empty;
    return empty.at(7);
}
