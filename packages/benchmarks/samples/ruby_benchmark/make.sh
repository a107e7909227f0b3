#!/bin/sh
# Needs ruby.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/ruby_benchmark
mkdir -p "$work"
cp "$here/text.rb" "$work"
cd "$work"
ruby text.rb bm >"$here/bm.txt"
ruby text.rb bmbm >"$here/bmbm.txt"
