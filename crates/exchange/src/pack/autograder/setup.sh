#!/bin/sh
# Prepares the container in which Gradescope judges @PACKAGE@. Made by `kopek pack --for gradescope`.
# Leave out the languages that your course does not use, and add others.
set -e
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends g++ python3 default-jdk-headless
chmod 755 /autograder/source/kopek
# Says what the judge can do here; it stands in the log of the build.
/autograder/source/kopek doctor || true
