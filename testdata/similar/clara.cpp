#include <bits/stdc++.h>
#define rep(i, a, b) for (int i = (a); i < (b); ++i)
typedef std::pair<int, int> Range;

struct Game {
    std::vector<int> row;
    std::map<Range, int> worth;

    void fill() {
        int n = row.size();
        std::queue<Range> waiting;
        rep(i, 0, n + 1) worth[Range(i, i)] = 0;
        rep(i, 0, n) waiting.push(Range(i, i + 1));
        while (!waiting.empty()) {
            Range r = waiting.front();
            waiting.pop();
            if (worth.count(r)) continue;
            worth[r] = play(r, r.second - r.first);
            if (r.second < n) waiting.push(Range(r.first, r.second + 1));
        }
    }

    int play(Range r, int length) {
        int lo = r.first, hi = r.second;
        if (length == 1) return row[lo];
        int first = row[lo] + std::min(worth[Range(lo + 2, hi)], worth[Range(lo + 1, hi - 1)]);
        int last = row[hi - 1] + std::min(worth[Range(lo + 1, hi - 1)], worth[Range(lo, hi - 2)]);
        return first > last ? first : last;
    }
};

int main() {
    std::ios::sync_with_stdio(false);
    Game game;
    int n, x;
    std::cin >> n;
    while (std::cin >> x) game.row.push_back(x);
    game.fill();
    std::cout << game.worth[Range(0, n)] << '\n';
}
