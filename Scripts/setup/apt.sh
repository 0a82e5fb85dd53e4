#!/bin/sh
# Installs the Debian packages that a list names and that are missing.
#   apt.sh LIST
set -eu
packages=$(sed 's/#.*//' "$1" | tr -s ' \n' ' ')

if ! command -v dpkg-query >/dev/null; then
  echo "setup: this system has no dpkg; install the counterparts of the packages in $1, then" \
    "run make with APT=no." >&2
  exit 1
fi

installed=$(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' $packages \
  2>/dev/null | sed -n 's/ installed$//p' || true)
missing=
for package in $packages; do
  case "
$installed
" in
    *"
$package
"*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  as_root=sudo
else
  echo "setup: these packages are missing, and installing them takes root or sudo:$missing" >&2
  exit 1
fi
echo "setup: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
# `env` carries the setting through sudo.
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends \
  -o Dpkg::Use-Pty=0 $missing >&2
