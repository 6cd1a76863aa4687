#include <bits/stdc++.h>
using namespace std;

int main() {
    string s, t;
    cin >> s;
    for (char c : s) t = c + t;
    puts(t.c_str());
}
