#!/bin/sh
# Checks that a Swift toolchain that is new enough is on the PATH.
set -eu
needed_major=6
needed_minor=2
advice="install Swift $needed_major.$needed_minor or later as https://www.swift.org/install/linux \
says and put it on the PATH."

if ! command -v swift >/dev/null; then
  echo "setup: there is no \`swift\` on the PATH; $advice" >&2
  exit 1
fi
if ! output=$(swift --version 2>&1); then
  echo "setup: \`swift --version\` fails ($(echo "$output" | head -n 1)); $advice" >&2
  exit 1
fi
version=$(echo "$output" | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
major=${version%.*}
minor=${version#*.}
if [ -z "$version" ] || [ "$major" -lt "$needed_major" ] ||
  { [ "$major" -eq "$needed_major" ] && [ "$minor" -lt "$needed_minor" ]; }; then
  echo "setup: \`swift\` is version ${version:-unknown}; $advice" >&2
  exit 1
fi
