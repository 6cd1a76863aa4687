import sys, limiti as limits

a, b = map(int, open(sys.argv[1]).read().split())
assert 0 <= a <= limits.LARGEST and 0 <= b <= limits.LARGEST
