#!/usr/bin/env bash
# Makes the command mcp-profiler of this checkout, for later steps of the job too. Needs Node.js 24.
set -euo pipefail

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
if [[ ! -d $repository/apps/cli/node_modules ]]; then
  (cd "$repository" && npx --yes pnpm@12 install --frozen-lockfile --filter '@flamegate/cli...' >&2)
fi
bin=${RUNNER_TEMP:?}/mcp-profiler
mkdir -p "$bin"
printf '#!/bin/sh\nexec node "%s/apps/cli/src/mcp-profiler.ts" "$@"\n' "$repository" >"$bin/mcp-profiler"
chmod +x "$bin/mcp-profiler"
echo "$bin" >>"${GITHUB_PATH:?}"
