#include <bits/stdc++.h>
using namespace std;

int main() {
    string s, t = "^";
    cin >> s;
    for (char c : s) { t += '#'; t += c; }
    t += "#$";
    vector<int> reach(t.size());
    int best = 0;
    for (int i = 1, centre = 0; i + 1 < (int)t.size(); i++) {
        int right = centre + reach[centre];
        if (i < right) reach[i] = min(right - i, reach[2 * centre - i]);
        while (t[i + reach[i] + 1] == t[i - reach[i] - 1]) reach[i]++;
        if (i + reach[i] > right) centre = i;
        best = max(best, reach[i]);
    }
    printf("%d\n", best);
}
