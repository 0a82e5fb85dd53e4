#!/bin/sh
# Writes a Swift source with the fingerprint of sources, in which comment lines, blank lines and
# indentation do not count.
#   fingerprint.sh OUTPUT SOURCE...
set -eu
output=$1
shift
hash=$(LC_ALL=C sed -e 's/^[[:space:]]*//' -e '/^$/d' -e '/^\/\//d' -- "$@" | sha256sum)
cat >"$output" <<SOURCE
/// The fingerprint of the code of this module and of all modules that it uses.
enum CodeFingerprint {
  static let value = "${hash%% *}"
}
SOURCE
