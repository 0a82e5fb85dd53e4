#!/bin/sh
# Packs the tree for Debian, with a systemd unit.
#   deb.sh TREE FOLDER
# Prints the package's path. OpenVINO's libraries are inside: nothing is fetched on installation.
set -eu
tree=$1 folder=$2
scripts=$(dirname "$0")
version=$("$tree/bin/kinema" --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
# The oldest glibc that is promised, Debian 12's, or the one that the newest symbol of any file needs.
glibc=$({
  echo 2.36
  find "$tree/bin" "$tree/lib" -type f -exec grep -aoh 'GLIBC_2\.[0-9]*' {} + | cut -d _ -f 2
} | sort -uV | tail -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

install -d "$work/DEBIAN" "$work/usr"
cp -a "$tree/bin" "$tree/lib" "$tree/share" "$work/usr"
# The system has the typeface.
rm -r "$work/usr/share/kinema/fonts"
install -D --mode=644 "$scripts/kinema.service" "$work/lib/systemd/system/kinema.service"
{ cat "$tree/share/doc/kinema/LICENSE"; echo; cat "$tree/share/doc/kinema/THIRD_PARTY.md"; } \
  > "$work/usr/share/doc/kinema/copyright"
rm "$work/usr/share/doc/kinema/LICENSE"

cat > "$work/DEBIAN/control" <<CONTROL
Package: kinema
Version: $version
Architecture: $architecture
Maintainer: The Kinema contributors <kinema@localhost>
Section: video
Priority: optional
Installed-Size: $(du --summarize --apparent-size --block-size=1024 "$work/usr" | cut -f 1)
Depends: libc6 (>= $glibc), libstdc++6 (>= 12), libgcc-s1, fontconfig-config, fonts-dejavu-core
Recommends: ca-certificates
Description: recognises actions, counts repetitions and extracts poses in video
 The command line tool and the live app, which systemd runs in a sandbox:
 systemctl enable --now kinema.
CONTROL
cat > "$work/DEBIAN/postinst" <<'POSTINST'
#!/bin/sh
set -e
[ ! -d /run/systemd/system ] || { systemctl daemon-reload && systemctl try-restart kinema.service; }
POSTINST
cat > "$work/DEBIAN/prerm" <<'PRERM'
#!/bin/sh
set -e
[ ! -d /run/systemd/system ] || [ "$1" != remove ] || systemctl disable --now kinema.service
PRERM
chmod 755 "$work/DEBIAN/postinst" "$work/DEBIAN/prerm"
mkdir -p "$folder"
package=$folder/kinema_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zzstd --build "$work" "$package" >&2
echo "$package"
