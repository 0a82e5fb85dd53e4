#!/bin/sh
# Runs the main commands on a generated video.
# The environment gives KINEMA, the built executable.
: "${KINEMA:?is the built executable}"
cd "$(dirname "$0")/.." || exit
mkdir -p demo || exit
echo "== A synthetic person exercises"
"$KINEMA" synth --output demo/people.mp4 --repetitions 4 --labels demo/people.csv || exit

echo "== Poses"
"$KINEMA" pose demo/people.mp4 --output demo/people.npz || exit
"$KINEMA" pose demo/people.mp4 --format jsonl | head -n 1 | cut -c 1-160 || exit

echo
echo "== Actions"
"$KINEMA" classify demo/people.mp4 ${MODEL:+--model "$MODEL"} --annotate demo/annotated.mp4 || exit

ffmpeg -hide_banner -loglevel error -y -ss 3 -i demo/annotated.mp4 -frames:v 1 \
  demo/annotated.png || exit
echo "The annotated video:  demo/annotated.mp4"
echo "A frame of it:       demo/annotated.png"
echo "The poses for NumPy:  demo/people.npz"
