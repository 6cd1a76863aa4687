long long steps(long long n);
