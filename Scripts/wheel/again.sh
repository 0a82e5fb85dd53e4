#!/bin/sh
# Makes the release again, from a clone in another folder, and compares its files with those of a list.
#   again.sh SUMS FOLDER
# SUMS is the list of the first one; FOLDER is made anew. ARM64=no in the environment leaves 64-bit ARM out.
set -eu
sums=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/../.."
git clone --quiet --no-hardlinks . "$folder/kinema"
# A make within a make: its settings are those of a shell.
env -u MAKEFLAGS -u MFLAGS -u KINEMA -u KINEMA_HOME -u SOURCE_DATE_EPOCH \
  make --directory "$folder/kinema" --no-print-directory release ${ARM64:+ARM64=$ARM64}
cd "$folder/kinema/.build/wheel/dist"
if ! cmp "$sums" SHA256SUMS; then
  diff "$sums" SHA256SUMS >&2 || true
  echo "release: two builds differ; the second is in $folder" >&2
  exit 1
fi
sha256sum --quiet --check SHA256SUMS
echo "release: two builds in different folders are equal in every byte"
