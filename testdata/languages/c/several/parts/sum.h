long long read_sum(void);
