import sys
from parts.pairs import pair

print(*pair(int(sys.argv[1])))
