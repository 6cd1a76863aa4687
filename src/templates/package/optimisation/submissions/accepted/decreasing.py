# The jury's solution: the heaviest item first, into the first box with room. A better one is welcome.
input()
weights = list(map(int, input().split()))
boxes, full = [0] * len(weights), []
for item in sorted(range(len(weights)), key=lambda item: -weights[item]):
    box = next((box for box, load in enumerate(full) if load + weights[item] <= 100), len(full))
    full += [0] * (box == len(full))
    full[box] += weights[item]
    boxes[item] = box + 1
print(len(full))
print(*boxes)
