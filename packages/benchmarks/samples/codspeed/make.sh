#!/bin/sh
# Needs gcc and valgrind, with the options that CodSpeed's runner gives it. What is not made here is told in the README.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/codspeed
mkdir -p "$work"
cp "$here/two.c" "$work"
cd "$work"
gcc -O2 -g -o two two.c
valgrind --quiet --tool=callgrind --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 \
  --instr-atstart=no --collect-systime=nsec --compress-strings=no --combine-dumps=yes --dump-line=no \
  --callgrind-out-file="$here/200.out" ./two
