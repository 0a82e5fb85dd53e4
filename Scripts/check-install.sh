#!/bin/sh
# Installs into a temporary folder, moves the tree, and runs it without any environment.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

env -u DESTDIR Scripts/install.sh "$work/first"
mv "$work/first" "$work/moved"
# Everything that was installed came along, the pages too.
test -s "$work/moved/share/kinema/web/index.html"
test -s "$work/moved/share/man/man1/kinema-pose.1.gz"
cd /
env -i "$work/moved/bin/kinema" --version
env -i "$work/moved/bin/kinema" doctor
