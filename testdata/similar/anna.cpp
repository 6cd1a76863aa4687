#include <iostream>
#include <vector>
using namespace std;

int countCoins;
vector<long long> coins;
vector<vector<long long>> memo;
vector<vector<bool>> known;

long long readNumber() {
    long long value;
    if (!(cin >> value)) {
        cerr << "input ended\n";
        exit(1);
    }
    return value;
}

long long sumOf(int from, int to) {
    long long sum = 0;
    for (int i = from; i <= to; i++) {
        sum += coins[i];
    }
    return sum;
}

long long best(int from, int to) {
    if (from > to) {
        return 0;
    }
    if (known[from][to]) {
        return memo[from][to];
    }
    long long all = sumOf(from, to);
    long long takeLeft = all - best(from + 1, to);
    long long takeRight = all - best(from, to - 1);
    known[from][to] = true;
    memo[from][to] = max(takeLeft, takeRight);
    return memo[from][to];
}

int main() {
    countCoins = readNumber();
    for (int i = 0; i < countCoins; i++) {
        coins.push_back(readNumber());
    }
    memo.assign(countCoins, vector<long long>(countCoins, 0));
    known.assign(countCoins, vector<bool>(countCoins, false));
    cout << best(0, countCoins - 1) << endl;
    return 0;
}
