import sys

wanted, given = (int(open(path).read()) for path in sys.argv[2:4])
print('close' if wanted != given else 'right', file=sys.stderr)
print(max(0.0, 1 - abs(wanted - given) / 4))
