"""Draws a bar as long as the number."""
import sys

number = int(open(sys.argv[1]).read().split()[0])
with open("bar.svg", "w") as file:
    file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{number}" height="5"><rect width="{number}" height="5"/></svg>\n')
