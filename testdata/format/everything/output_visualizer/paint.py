"""Draws a square for the judges and one for the team."""
import os
import sys

color = sys.argv[4] if len(sys.argv) > 4 else "black"
for name in ["judgeimage.svg", "teamimage.svg"]:
    with open(os.path.join(sys.argv[3], name), "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="{color}"/></svg>\n')
