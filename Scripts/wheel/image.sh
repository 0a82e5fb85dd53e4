#!/bin/sh
# Makes an OCI image of the tree and the Debian libraries it needs; no daemon, no root, no base image.
#   image.sh TREE FOLDER
# Prints the archive's path; `podman load --input` and `skopeo copy oci-archive:…` read it.
set -eu
tree=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
version=$("$tree/bin/kinema" --version | cut -d ' ' -f 2)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

cd "$work"
apt-get download -qq -o APT::Sandbox::User= base-files libc6 libstdc++6 libgcc-s1 ca-certificates tzdata \
  fontconfig-config fonts-dejavu-core >&2
for package in *.deb; do dpkg-deb --extract "$package" "$root"; done
cp -a "$tree/bin" "$tree/lib" "$tree/share" "$root/usr"
rm -r "$root/usr/share/kinema/fonts"
# What the packages' scripts would do.
cat "$root"/usr/share/ca-certificates/mozilla/*.crt > "$root/etc/ssl/certs/ca-certificates.crt"
printf 'root:x:0:0::/root:/\nkinema:x:10001:10001::/data:/\n' > "$root/etc/passwd"
printf 'root:x:0:\nvideo:x:44:\nkinema:x:10001:\n' > "$root/etc/group"
install -d --mode=1777 "$root/tmp" "$root/data"
# The same files give the same image: `SOURCE_DATE_EPOCH` is its time, and that of what is newer.
epoch=${SOURCE_DATE_EPOCH:-$(date +%s)}
created=$(date --utc --date="@$epoch" +%Y-%m-%dT%H:%M:%SZ)
find "$root" -newermt "@$epoch" -exec touch --no-dereference --date="@$epoch" {} +

umoci init --layout image
umoci new --image image:"$version"
umoci insert --rootless --image image:"$version" --history.created "$created" "$root" / >&2
umoci config --created "$created" --history.created "$created" --image image:"$version" \
  --author Kinema --config.user 10001:10001 \
  --config.workingdir /data --config.volume /data --config.exposedports 8642/tcp \
  --config.env HOME=/data --config.entrypoint /usr/bin/kinema \
  --config.cmd live --config.cmd --host --config.cmd 0.0.0.0 --config.cmd --data --config.cmd /data \
  --config.label org.opencontainers.image.title=kinema \
  --config.label org.opencontainers.image.version="$version" \
  --config.label org.opencontainers.image.licenses=Apache-2.0 >&2
# The images on the way, which have the time of their making.
umoci gc --layout image >&2
# The name under which it is loaded; umoci takes only a tag.
sed -i "s/\(image.ref.name\":\)\"$version\"/\1\"kinema:$version\"/" image/index.json
grep -q "kinema:$version" image/index.json
archive=$folder/kinema-$version-$(dpkg --print-architecture).oci.tar
tar --create --file "$archive" --directory image --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime=@0 .
echo "$archive"
