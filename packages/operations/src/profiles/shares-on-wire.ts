import type { operations, OutputOf } from '@flamegate/contract'
import type { FunctionShare } from '@flamegate/profiles'

type ShareOnWire = OutputOf<typeof operations.analyzeProfile>['functions'][number]

export function shareOnWire(share: FunctionShare): ShareOnWire {
  return {
    function_name: share.functionName,
    file: share.file === '' ? null : share.file,
    line: share.line === 0 ? null : share.line,
    origin: share.origin,
    self_value: share.selfValue,
    self_percent: share.selfPercent,
    total_value: share.totalValue,
    total_percent: share.totalPercent,
  }
}
