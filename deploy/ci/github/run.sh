#!/usr/bin/env bash
# What action.yml does: its inputs, which come as INPUT_…, as a command line of flamegate.
set -euo pipefail

if [[ -n ${INPUT_CLI:-} ]]; then
  # The words of a command, such as `npx flamegate`.
  read -r -a flamegate <<<"$INPUT_CLI"
else
  repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
  if [[ ! -d $repository/apps/cli/node_modules ]]; then
    (cd "$repository" && npx --yes pnpm@12 install --frozen-lockfile --filter '@flamegate/cli...' >&2)
  fi
  flamegate=(node "$repository/apps/cli/src/main.ts")
fi

options=()
[[ -z ${INPUT_ADAPTER:-} ]] || options+=(--adapter "$INPUT_ADAPTER")
if [[ ${INPUT_CHECK:-true} == true ]]; then
  options+=(--check --fail-on "${INPUT_FAIL_ON:-regressed}")
  [[ -z ${INPUT_THRESHOLD:-} ]] || options+=(--threshold-percent "$INPUT_THRESHOLD")
  [[ -z ${INPUT_JUNIT:-} ]] || options+=(--format junit --output "$INPUT_JUNIT")
fi

results=()
while IFS= read -r line; do
  [[ -z ${line// /} ]] || results+=("$line")
done <<<"${INPUT_RESULTS:-}"

if [[ -n ${INPUT_COMMAND:-} ]]; then
  for name in "${results[@]}"; do options+=(--results "$name"); done
  [[ -z ${INPUT_REPEAT:-} ]] || options+=(--repeat "$INPUT_REPEAT")
  [[ -z ${INPUT_BASE_REF:-} ]] || options+=(--base-ref "$INPUT_BASE_REF")
  [[ -z ${INPUT_SETUP:-} ]] || options+=(--setup "$INPUT_SETUP")
  # The command is the workflow's own script: its quotes and variables mean what they mean in one.
  eval "command=($INPUT_COMMAND)"
  exec "${flamegate[@]}" run "${options[@]}" -- "${command[@]}"
fi
if [[ ${#results[@]} -eq 0 ]]; then
  echo 'Say what to do: command, or results.' >&2
  exit 2
fi
exec "${flamegate[@]}" upload "${options[@]}" -- "${results[@]}"
