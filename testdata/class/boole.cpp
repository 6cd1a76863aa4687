#include <bits/stdc++.h>
using namespace std;

int n, m, k;
int x[2005];
int dp[2005][2005];

int f(int i, int j) {  // coins i..j
    if (i > j) return 0;
    if (dp[i][j] != -1) return dp[i][j];
    int taken = n - (j - i + 1);
    int a = f(i + 1, j), b = f(i, j - 1);
    if (taken % m == k) return dp[i][j] = max(x[i] + a, x[j] + b);
    return dp[i][j] = min(a, b);
}

int main() {
    int t;
    scanf("%d", &t);
    while (t--) {
        scanf("%d %d %d", &n, &m, &k);
        for (int i = 0; i < n; i++) scanf("%d", &x[i]);
        memset(dp, -1, sizeof dp);
        printf("%d\n", f(0, n - 1));
    }
}
