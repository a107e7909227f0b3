#!/bin/sh
# Needs hyperfine.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p /app/samples/hyperfine
cd /app/samples/hyperfine
hyperfine --runs 12 --warmup 2 --export-json "$here/two.json" 'seq 20000' 'seq 200000'
hyperfine --runs 8 --warmup 1 --parameter-list size 10000,100000 --command-name 'count to {size}' \
  --export-json "$here/parameters.json" 'seq {size}'
hyperfine --runs 5 --ignore-failure --export-json "$here/failing.json" 'ls /nothing-here'
hyperfine --runs 8 --warmup 1 --parameter-list size 10000,100000 --export-csv "$here/parameters.csv" \
  --export-markdown "$here/parameters.md" 'seq {size} | tail -1'
