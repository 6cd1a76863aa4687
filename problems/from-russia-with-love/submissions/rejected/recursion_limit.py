"""Right recursion, but deeper than Python goes by itself."""


def guaranteed(x, n, m, k):
    known = {}

    def go(i, j):
        if i == j:
            return 0
        if (i, j) not in known:
            left, right = go(i + 1, j), go(i, j - 1)
            if (n - (j - i)) % m == k:
                known[i, j] = max(x[i] + left, x[j - 1] + right)
            else:
                known[i, j] = min(left, right)
        return known[i, j]

    answer = go(0, n)
    known.clear()
    return answer


for _ in range(int(input())):
    n, m, k = map(int, input().split())
    print(guaranteed(list(map(int, input().split())), n, m, k))
