#!/usr/bin/env python3
# Judges a submission with kopek and writes result.json. Made by `kopek pack --for classroom50`.
# Package and program come from the bundle alone, never from the student's repository.
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request

PACKAGE, URL, SHA256 = "@PACKAGE@", "@URL@", "@SHA256@"


def find_kopek(bundle, aside):
    program = os.path.join(bundle, "kopek")
    if not URL:
        return program
    program = os.path.join(aside, "kopek")
    with urllib.request.urlopen(URL, timeout=120) as answer, open(program, "wb") as file:
        shutil.copyfileobj(answer, file)
    with open(program, "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    if found != SHA256:
        sys.exit(f"{URL} has the SHA-256 {found}, not {SHA256}: pack again for that kopek")
    return program


def main():
    bundle = os.environ["CLASSROOM50_BUNDLE_DIR"]
    with tempfile.TemporaryDirectory() as aside:
        kopek = find_kopek(bundle, aside)
        os.chmod(kopek, 0o755)
        # Programs of students may run as other users, who must pass to what they run.
        os.chmod(aside, 0o711)
        hand_in = os.path.join(aside, "class", "submission")
        # Files whose names begin with a dot are no programs, and result.json is never the student's.
        ignored = shutil.ignore_patterns(".*", "result.json", "release-body.md")
        shutil.copytree(".", hand_in, symlinks=True, ignore=ignored)
        command = [kopek, "grade", os.path.join(bundle, "package", PACKAGE), os.path.dirname(hand_in)]
        command += ["--layout", "plain", "--format", "classroom50", "--store", os.path.join(aside, "store")]
        judged = subprocess.run(command, stdout=subprocess.PIPE)
    # Without a result the runner reports an error, which is what happened.
    if not judged.stdout:
        sys.exit(f"kopek gave no result (exit code {judged.returncode})")
    for stale in ("result.json", "release-body.md"):
        if os.path.lexists(stale):
            os.remove(stale)
    with open("result.json", "xb") as file:
        file.write(judged.stdout)


main()
