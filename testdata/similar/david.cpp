#include <iostream>
#include <sstream>
#include <string>

class Table {
public:
    explicit Table(int size) : size_(size), cells_(new int[size * size]()) {}
    ~Table() { delete[] cells_; }
    int get(int row, int column) const {
        return row > column ? 0 : cells_[row * size_ + column];
    }
    void set(int row, int column, int value) { cells_[row * size_ + column] = value; }

private:
    int size_;
    int *cells_;
};

int main() {
    std::string line, text;
    while (std::getline(std::cin, line)) text += line + " ";
    std::istringstream words(text);
    int n = 0;
    words >> n;
    int *prefix = new int[n + 1];
    prefix[0] = 0;
    for (int at = 1; at <= n; at++) {
        int coin;
        words >> coin;
        prefix[at] = prefix[at - 1] + coin;
    }
    Table table(n + 1);
    for (int from = n - 1; from >= 0; from--) {
        for (int to = from; to < n; to++) {
            int rest = prefix[to + 1] - prefix[from];
            int opponent = std::min(table.get(from + 1, to), to > 0 ? table.get(from, to - 1) : 0);
            table.set(from, to, rest - opponent);
        }
    }
    std::cout << (n ? table.get(0, n - 1) : 0) << std::endl;
    delete[] prefix;
}
