#include <bits/stdc++.h>
using namespace std;

int main() {
    string text, word;
    cin >> text >> word;
    string all = word + "#" + text;
    vector<int> fail(all.size());
    int found = 0;
    for (size_t i = 1; i < all.size(); i++) {
        int k = fail[i - 1];
        while (k > 0 && all[k] != all[i]) k = fail[k - 1];
        fail[i] = k + (all[k] == all[i]);
        found += fail[i] == (int)word.size();
    }
    printf("%d\n", found);
}
