#include <bits/stdc++.h>
using namespace std;

int main() {
    string text, word;
    cin >> text >> word;
    int found = 0;
    for (size_t i = 0; i + word.size() <= text.size(); i++) {
        size_t same = 0;
        while (same < word.size() && text[i + same] == word[same]) same++;
        found += same == word.size();
    }
    printf("%d\n", found);
}
