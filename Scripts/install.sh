#!/bin/sh
# Installs the built kinema under a prefix, as a tree that can be moved as a whole.
#   install.sh PREFIX
# The environment gives KINEMA, the built executable, and KINEMA_HOME, what `make setup` fetched.
set -eu
: "${KINEMA:?is the built executable}" "${KINEMA_HOME:?is what make setup fetched}"
cd "$(dirname "$0")/.."
prefix=${DESTDIR:-}$1

nearest=$prefix
while [ ! -e "$nearest" ]; do nearest=$(dirname "$nearest"); done
if [ ! -w "$nearest" ]; then
  echo "install: $nearest cannot be written; run \`sudo make install PREFIX=$1\` or give" \
    "another PREFIX." >&2
  exit 74
fi

install -D --mode=755 --strip "$KINEMA" "$prefix/bin/kinema"
install -d "$prefix/lib/kinema" "$prefix/share/kinema/licences" "$prefix/share/doc/kinema"
install --mode=644 "$KINEMA_HOME"/lib/kinema/* "$prefix/lib/kinema"
install --mode=644 "$KINEMA_HOME"/share/kinema/*.tflite "$prefix/share/kinema"
install --mode=644 Resources/*.mlmodel Resources/Form.json Resources/Quality.json Resources/Falls.json \
  Resources/Postures.json Resources/Tests.json "$prefix/share/kinema"
# The pages of an earlier version go: what is there is served.
rm -rf "$prefix/share/kinema/web"
(cd Resources && find Web -type f) | while read -r page; do
  install -D --mode=644 "Resources/$page" "$prefix/share/kinema/web/${page#Web/}"
done
install --mode=644 "$KINEMA_HOME"/share/kinema/licences/* "$prefix/share/kinema/licences"
for document in README.md LICENSE THIRD_PARTY.md CHANGELOG.md; do
  [ ! -e "$document" ] || install --mode=644 "$document" "$prefix/share/doc/kinema"
done
rm -rf "$prefix/share/man"
"$KINEMA" help --man "$prefix/share/man/man1"
gzip --best --no-name "$prefix"/share/man/man1/*.1
echo "install: $prefix/bin/kinema" >&2
