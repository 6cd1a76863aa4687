import sys

wanted = int(open(sys.argv[2]).read())
try:
    given = int(open(sys.argv[3]).read())
except ValueError:
    print("no number", file=sys.stderr)
    print(0.0)
    sys.exit(0)
print('close' if wanted != given else 'right', file=sys.stderr)
print(max(0.0, 1 - abs(wanted - given) / 4))
