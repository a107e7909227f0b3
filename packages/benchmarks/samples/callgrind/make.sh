#!/bin/sh
# Needs gcc and valgrind.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/callgrind
mkdir -p "$work"
cp "$here/sum.c" "$work"
cd "$work"
gcc -O1 -g -o sum sum.c
run() {
  output=$1
  shift
  valgrind --quiet --tool=callgrind --instr-atstart=no --callgrind-out-file="$here/$output" "$@" ./sum --size 65536
}
run instructions.out
run caches.out --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64
run branches.out --branch-sim=yes
