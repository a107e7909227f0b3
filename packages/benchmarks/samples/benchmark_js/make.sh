#!/bin/sh
# Needs Node and npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/benchmark_js
mkdir -p "$work"
cd "$work"
npm install --silent --no-save --prefix . benchmark@2.1.4
cp "$here/suite.cjs" .
node suite.cjs >"$here/recorded.txt"
