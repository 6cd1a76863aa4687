#include <bits/stdc++.h>
using namespace std;

bool has(const vector<int>& a, size_t at, int s) {
    if (s == 0) return true;
    if (s < 0 || at == a.size()) return false;
    return has(a, at + 1, s - a[at]) || has(a, at + 1, s);
}

int main() {
    int n, s;
    scanf("%d %d", &n, &s);
    vector<int> a(n);
    for (int& x : a) scanf("%d", &x);
    puts(has(a, 0, s) ? "yes" : "no");
}
