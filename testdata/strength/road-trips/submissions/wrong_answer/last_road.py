# Wrong where a longer road between the same towns comes later.
import heapq


def main():
    n, m = map(int, input().split())
    roads = [{} for _ in range(n + 1)]
    for _ in range(m):
        a, b, w = map(int, input().split())
        for one, other in ((a, b), (b, a)):
            roads[one][other] = w
    far, ways, done = {1: 0}, [0] * (n + 1), set()
    ways[1] = 1
    heap = [(0, 1)]
    while heap:
        at, town = heapq.heappop(heap)
        if town in done:
            continue
        done.add(town)
        for other, w in roads[town].items():
            there = at + w
            if other not in far or there < far[other]:
                far[other], ways[other] = there, ways[town]
                heapq.heappush(heap, (there, other))
            elif there == far[other]:
                ways[other] = (ways[other] + ways[town]) % 1000000007
    print(f"{far[n]} {ways[n]}" if n in far else "-1")


main()
