# Hostile: looks for the answers next to the input and prints what it finds; else it gives up.
import glob
import os

places = ["/proc/self/cwd", "/proc/self/fd/0", "/proc/1/cwd", "..", "../..", "/data", "/tmp", "/"]
try:
    places.append(os.path.dirname(os.readlink("/proc/self/fd/0")))
except OSError:
    pass
for place in places:
    for path in sorted(glob.glob(place + "/*.ans") + glob.glob(place + "/*/*.ans")):
        try:
            if os.path.splitext(path)[0] == os.path.splitext(os.readlink("/proc/self/fd/0"))[0]:
                print(open(path).read(), end="")
                raise SystemExit
        except OSError:
            pass
print("no answers here")
