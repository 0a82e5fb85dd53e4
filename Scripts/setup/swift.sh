#!/bin/sh
# Checks that a Swift toolchain that is new enough is on the PATH.
#   swift.sh [--install]
# With --install, Debian's `swiftlang` is installed where there is no toolchain and the system has one.
set -eu
needed=6.0
here=$(dirname "$0")
advice="install Swift $needed or later as https://www.swift.org/install/linux says and put it on the \
PATH; Debian 13 and later have it as the package \`swiftlang\`."

if [ "${1:-}" = --install ] && ! command -v swift >/dev/null; then
  offered=$(LC_ALL=C apt-cache policy swiftlang 2>/dev/null | sed -n 's/^ *Candidate: //p')
  if [ -n "$offered" ] && dpkg --compare-versions "$offered" ge "$needed"; then
    "$here/apt.sh" "$here/apt-swift.txt"
  fi
fi
if ! command -v swift >/dev/null; then
  echo "setup: there is no \`swift\` on the PATH; $advice" >&2
  exit 1
fi
if ! output=$(swift --version 2>&1); then
  echo "setup: \`swift --version\` fails ($(echo "$output" | head -n 1)); $advice" >&2
  exit 1
fi
version=$(echo "$output" | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
if [ -z "$version" ] ||
  [ "$(printf '%s\n%s\n' "$needed" "$version" | sort -V | head -n 1)" != "$needed" ]; then
  echo "setup: \`swift\` is version ${version:-unknown}; $advice" >&2
  exit 1
fi
