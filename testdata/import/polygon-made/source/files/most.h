const int MOST = 1000;
inline int least(int a, int b) { return a < b ? a : b; }
