#!/bin/sh
# Builds the FFmpeg of the wheel from Debian's source: LGPL, shared, with what Kinema reads and writes.
#   ffmpeg.sh FOLDER [SYSTEM]
# Prints the folder with usr/lib/kinema, which is below FOLDER and named by version and configuration:
# what is there is not built again. SYSTEM is an unpacked Debian for 64-bit ARM with the headers and
# libraries that it links: it is built for that one.
set -eu
folder=$1 system=${2:-}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# The executable is compiled with the headers of the installed package: the same version is built.
version=$(dpkg-query --admindir="$system/var/lib/dpkg" --show --showformat='${Version}' libavcodec-dev)

# Containers and raw streams: those of MediaKind and StreamScheme, pictures, sound, test patterns.
demuxers=aac,ac3,aiff,amr,ape,apng,asf,au,av1,avi,caf,dirac,dts,dv,eac3,flac,flv,gif,gxf,h261,h263
demuxers=$demuxers,h264,hevc,hls,image_bmp_pipe,image_jpeg_pipe,image_png_pipe,image_tiff_pipe
demuxers=$demuxers,image_webp_pipe,image_pgm_pipe,image_ppm_pipe,image_pam_pipe,image_j2k_pipe
demuxers=$demuxers,image_gif_pipe,ivf,live_flv,m4v,matroska,mjpeg,mov,mp3,mpegps,mpegts,mpegvideo
demuxers=$demuxers,mpjpeg,mxf,nut,obu,ogg,rm,rtp,rtsp,sdp,tta,vc1,vc1t,w64,wav,webvtt,wtv,wv
demuxers=$demuxers,yuv4mpegpipe
pictures=apng,bmp,gif,jpeg2000,mjpeg,mjpegb,pam,pgm,png,ppm,tiff,webp
videos=cinepak,dirac,dnxhd,dvvideo,ffv1,ffvhuff,flv,h261,h263,h263i,h263p,h264,hevc,huffyuv
videos=$videos,indeo3,indeo5,libdav1d,mpeg1video,mpeg2video,mpeg4,msmpeg4v1,msmpeg4v2,msmpeg4v3
videos=$videos,msvideo1,prores,qtrle,rawvideo,rpza,rv10,rv20,rv30,rv40,svq1,svq3,theora,utvideo
videos=$videos,v210,vc1,vp3,vp6,vp6f,vp8,vp9,wmv1,wmv2,wmv3,wrapped_avframe
sounds=aac,aac_latm,ac3,adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,adpcm_swf,alac,amrnb,amrwb,ape,cook,dca
sounds=$sounds,eac3,flac,mp1,mp2,mp3,nellymoser,opus,pcm_alaw,pcm_f32be,pcm_f32le,pcm_f64le,pcm_mulaw
sounds=$sounds,pcm_s16be,pcm_s16le,pcm_s24be,pcm_s24le,pcm_s32be,pcm_s32le,pcm_s8,pcm_u8,tta,vorbis
sounds=$sounds,wavpack,wmav1,wmav2,wmapro
protocols=crypto,ffrtmpcrypt,ffrtmphttp,file,http,httpproxy,https,libsrt,pipe,rtmp,rtmpe,rtmps,rtmpt
protocols=$protocols,rtmpte,rtmpts,rtp,srtp,tcp,tls,udp
filters=color,format,mandelbrot,null,rgbtestsrc,scale,smptebars,smptehdbars,testsrc,testsrc2

set -- --disable-everything --disable-autodetect --disable-programs --disable-doc --disable-debug \
  --disable-static --enable-shared --disable-postproc \
  --enable-zlib --enable-openssl --enable-libopenh264 --enable-libdav1d --enable-libsrt \
  --enable-parsers --enable-bsfs --enable-demuxer="$demuxers" \
  --enable-decoder="$pictures,$videos,$sounds" --enable-protocol="$protocols" \
  --enable-encoder=libopenh264,aac,mjpeg,png --enable-muxer=mp4 \
  --enable-indev=v4l2,lavfi --enable-filter="$filters" --prefix=/usr --libdir=/usr/lib/kinema
if [ -n "$system" ]; then
  target=aarch64-linux-gnu
  export PKG_CONFIG_LIBDIR="$system/usr/lib/$target/pkgconfig:$system/usr/share/pkgconfig"
  export PKG_CONFIG_SYSROOT_DIR="$system"
  set -- "$@" --enable-cross-compile --arch=aarch64 --target-os=linux --cross-prefix=$target- \
    --pkg-config=pkg-config --sysroot="$system"
fi
# Without the epoch, whose colon no search path may hold.
key=${version#*:}-$(echo "$@" | sha256sum | cut -c 1-12)
prefix=$folder/ffmpeg-$key
if [ ! -e "$prefix/complete" ]; then
  work=$folder/ffmpeg-work
  rm -rf "$work" "$prefix"
  mkdir -p "$work/lists/partial"
  cd "$work"
  # The sources of what the system has packages from.
  target='deb-src [signed-by=$(SIGNED_BY)] $(SITE) $(RELEASE) $(COMPONENT)'
  apt-get indextargets --format "$target" 'Created-By: Packages' | sort -u |
    sed 's/ \[signed-by=\$(SIGNED_BY)\]//' > sources.list
  echo "ffmpeg: fetching the source of $version" >&2
  # The system's own lists stay as they are.
  apt() {
    apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=- \
      -o Dir::State::Lists="$work/lists" -o APT::Sandbox::User= "$@" >&2
  }
  apt update
  apt source "ffmpeg=$version"
  cd "$work"/ffmpeg-*/
  echo "ffmpeg: building (some minutes); the log is $work/log" >&2
  { ./configure "$@" && make -j"${JOBS:-2}" && make install DESTDIR="$prefix"; } > "$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    exit 70
  }
  install -d "$prefix/licences"
  cp COPYING.LGPLv2.1 LICENSE.md "$prefix/licences"
  cp debian/copyright "$prefix/licences/copyright"
  # What the LGPL asks for besides the libraries: which source, and how it was configured.
  { echo "Debian's source package ffmpeg $version, configured with:"; printf '%s\n' "$@"; } \
    > "$prefix/licences/source.txt"
  touch "$prefix/complete"
  cd "$folder"
  rm -rf "$work"
fi
echo "$prefix"
