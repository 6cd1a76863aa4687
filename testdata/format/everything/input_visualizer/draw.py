"""Draws a bar as long as the number."""
import sys

number = int(sys.stdin.read().split()[0])
print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{number}" height="5"><rect width="{number}" height="5"/></svg>')
