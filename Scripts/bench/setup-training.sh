#!/bin/sh
# Makes the Python environment that PyTorch and onnxruntime live in for the comparisons of training.
#   setup-training.sh FOLDER
set -eu
folder=$1
constraints=$(dirname "$0")/constraints-training.txt
# A copy of the constraints is written last: where it is the same, all is installed.
! cmp -s "$constraints" "$folder/constraints.txt" || exit 0

echo "bench: installing PyTorch and onnxruntime into $folder" >&2
rm -rf "$folder/constraints.txt"
"${PYTHON:-python3}" -m venv --clear "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary=:all: \
  --constraint "$constraints" torch numpy onnxruntime
cp "$constraints" "$folder/constraints.txt.part"
mv "$folder/constraints.txt.part" "$folder/constraints.txt"
