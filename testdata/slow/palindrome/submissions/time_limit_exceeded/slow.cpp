#include <bits/stdc++.h>
using namespace std;

int main() {
    string s;
    cin >> s;
    int n = s.size(), best = 0;
    for (int c = 0; c < 2 * n - 1; c++) {
        int i = c / 2, j = (c + 1) / 2;
        while (i >= 0 && j < n && s[i] == s[j]) i--, j++;
        best = max(best, j - i - 1);
    }
    printf("%d\n", best);
}
