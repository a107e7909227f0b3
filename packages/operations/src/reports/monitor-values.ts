import type { ReportItem } from '@flamegate/loadtest'
import { monitoredValues } from '../monitors/monitored-values.ts'
import type { BenchResult } from '../ports/index.ts'
import { secondsOf, type ItemReading, type ItemValues } from './items/item-reading.ts'

/** Counters of the system under test while a run went on. */
export async function monitorValues(
  item: ReportItem & { type: 'monitors' },
  run: BenchResult,
  { reading, pointsMax }: ItemReading,
): Promise<ItemValues<'monitors'>> {
  const values = await monitoredValues(reading, run, {
    ...secondsOf(item, run),
    pointsMax,
    monitorId: item.monitor_id,
    counters: item.counters,
  })
  return { type: 'monitors', ...values }
}
