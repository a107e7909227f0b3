#!/bin/sh
# Needs Node (24 or later first in PATH, because Vitest 5 asks for it) and npm.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
for version in 1.0.4 3.2.4 5.1.1; do
  work=/app/samples/vitest_bench/$version
  mkdir -p "$work"
  cd "$work"
  npm install --silent --no-save --prefix . "vitest@$version"
  case $version in
    5.*)
      mkdir -p bench
      cp "$here/numbers.bench.mjs" bench
      for retain in false true; do
        echo "export default { test: { benchmark: { retainSamples: $retain } } }" >vitest.config.mjs
        node node_modules/vitest/vitest.mjs bench --run --reporter=json --outputFile=$retain.json
      done
      cp false.json "$here/5-summary.json"
      cp true.json "$here/5-samples.json"
      ;;
    3.*)
      cp "$here/numbers-before-5.bench.mjs" numbers.bench.mjs
      node node_modules/vitest/vitest.mjs bench --run --outputJson="$here/3-output-json.json"
      ;;
    1.*)
      cp "$here/numbers-before-5.bench.mjs" numbers.bench.mjs
      node node_modules/vitest/vitest.mjs bench --run --reporter=json --outputFile="$here/1-json-reporter.json"
      ;;
  esac
done
