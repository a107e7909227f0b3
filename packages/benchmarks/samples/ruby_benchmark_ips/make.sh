#!/bin/sh
# Needs ruby and ruby-benchmark-ips.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/ruby_benchmark_ips
mkdir -p "$work"
cp "$here/text.rb" "$work"
cd "$work"
ruby text.rb "$here/report.json" >"$here/report.txt"
