import sys

print(2 * int(sys.stdin.readline()))
sys.stdin.readline()
