import type { operations, OutputOf } from '@flamegate/contract'
import type { CallTreeEntry, FunctionRow } from '@flamegate/profiles'

type ShareOnWire = OutputOf<typeof operations.analyzeProfile>['functions'][number]

/** A function, or a place in the call tree, with its share of the profile. */
export function shareOnWire(share: FunctionRow | CallTreeEntry): ShareOnWire {
  return {
    function_name: share.functionName,
    file: share.file === '' ? null : share.file,
    line: 'line' in share && share.line > 0 ? share.line : null,
    origin: share.origin,
    self_value: share.selfValue,
    self_percent: share.selfPercent,
    total_value: share.totalValue,
    total_percent: share.totalPercent,
  }
}
