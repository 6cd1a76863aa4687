static long long add_all(long long n) {
    long long sum = 0;
    for (int i = 0; i < n; i++) sum += n;
    return sum;
}
