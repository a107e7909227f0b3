import { errorsOf } from '../../bench-runs/measured-actions.ts'
import { measureActions } from '../../bench-runs/measured-actions.ts'
import type { Reading } from '../../implement.ts'
import type { ReportItem } from '@flamegate/loadtest'
import type { BenchResult } from '../../ports/index.ts'
import type { ItemValues } from './item-reading.ts'

/** Samples that are named of each kind of error. */
const samplesNamed = 10

/** Errors of a run by action and class, the most frequent first, with the samples that were kept of them. */
export async function errorValues(
  { from_second: fromSecond, to_second: toSecond }: Pick<ReportItem, 'from_second' | 'to_second'>,
  run: BenchResult,
  reading: Reading,
): Promise<ItemValues<'errors'>> {
  const errors = errorsOf(await measureActions(reading, run, { fromSecond, toSecond }))
  const samples =
    errors.length === 0 ? [] : await reading.deps.stores.benchRuns.listSampleIds(reading.caller, run.id)
  const secondOf = (at: Date) => (at.getTime() - (run.startedAt ?? at).getTime()) / 1000
  const inTime = samples.filter(({ at }) => {
    const second = secondOf(at)
    return second >= fromSecond && second < (toSecond ?? Infinity)
  })
  const idsOf = Map.groupBy(inTime, ({ action, errorClass }) => `${action} ${errorClass}`)
  return {
    type: 'errors',
    total: errors.reduce((sum, { count }) => sum + count, 0),
    errors: errors
      .toSorted((a, b) => b.count - a.count)
      .map((error) => ({
        ...error,
        sample_ids: (idsOf.get(`${error.action} ${error.error_class}`) ?? [])
          .slice(0, samplesNamed)
          .map(({ id }) => id),
      })),
  }
}
