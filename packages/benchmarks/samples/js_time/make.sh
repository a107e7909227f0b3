#!/bin/sh
# Needs Node.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
node "$here/timers.mjs" >"$here/timers.txt"
