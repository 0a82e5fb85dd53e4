#!/bin/sh
# The cluster tests of `make test`: of what is installed, with few videos.
#   test.sh KINEMA
set -eu
clips=../shared/clips
if [ ! -d "$clips" ]; then
  echo "cluster tests: skipped: $clips is missing"
  exit 0
fi
# Written last, when all is installed.
if [ -e .cluster/requirements.txt ]; then
  .cluster/bin/python Scripts/cluster/ray_test.py "$1" "$clips" --videos 4 --nodes 2
else
  echo "ray: skipped: make cluster-packages installs it"
fi
"${PYTHON:-python3}" Scripts/cluster/slurm_test.py "$1" "$clips" --videos 4
