import sys

LIMITS = {"samples": 5, "small": 10, "full": 1000}
sys.exit(0 if int(input()) <= LIMITS[sys.argv[1]] else 1)
