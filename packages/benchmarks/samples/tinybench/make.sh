#!/bin/sh
# Needs Node 24 and npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/tinybench
mkdir -p "$work"
cd "$work"
[ -d node_modules/tinybench ] || npm install --silent --no-save --prefix . tinybench@6.2.3
cp "$here/numbers.mjs" "$work"
node numbers.mjs "$here" >"$here/table.txt"
