#!/bin/sh
# Makes the Python environment that MediaPipe's own solution runs in, or another one.
#   setup.sh FOLDER [REQUIREMENTS]
set -eu
folder=$1
requirements=$(dirname "$0")/${2:-requirements.txt}
# A copy of the requirements is written last: where it is the same, all is installed.
! cmp -s "$requirements" "$folder/requirements.txt" || exit 0

if ! "${PYTHON:-python3}" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 13))'; then
  echo "setup: ${requirements##*/} is for Python 3.11 and 3.12; give one as PYTHON=…" >&2
  exit 1
fi
echo "setup: installing ${requirements##*/} into $folder" >&2
rm -rf "$folder/requirements.txt"
"${PYTHON:-python3}" -m venv --clear "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
  --only-binary=:all: --requirement "$requirements"
cp "$requirements" "$folder/requirements.txt.part"
mv "$folder/requirements.txt.part" "$folder/requirements.txt"
