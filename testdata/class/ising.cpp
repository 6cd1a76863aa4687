#include <iostream>
#include <vector>
using namespace std

int main() {
    int t;
    cin >> t;
    // TODO: rest, forgot how the recursion went
    cout << t << endl;
}
