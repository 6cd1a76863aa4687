#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, k;
    scanf("%d %d", &n, &k);
    list<int> circle;
    for (int i = 1; i <= n; i++) circle.push_back(i);
    auto at = circle.begin();
    while (circle.size() > 1) {
        for (int i = 1; i < k; i++)
            if (++at == circle.end()) at = circle.begin();
        at = circle.erase(at);
        if (at == circle.end()) at = circle.begin();
    }
    printf("%d\n", circle.front());
}
