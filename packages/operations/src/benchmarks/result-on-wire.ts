import type { operations, OutputOf } from '@flamegate/contract'
import type { Result } from '../ports/index.ts'

type ResultOnWire = Omit<
  OutputOf<typeof operations.getRun>['results'][number],
  'has_profile' | 'known_issues'
>

export function resultOnWire(result: Result): ResultOnWire {
  return {
    benchmark_id: result.benchmarkId,
    uri: result.uri,
    name: result.name,
    instrument: result.instrument,
    metric: result.metric,
    better_when: result.betterWhen,
    value: result.value,
    unit: result.unit,
  }
}
