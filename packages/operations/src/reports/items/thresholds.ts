import { thresholdOnWire } from '../../bench-runs/on-wire.ts'
import { judgeThresholds } from '../../bench-runs/thresholds.ts'
import type { Reading } from '../../implement.ts'
import type { BenchResult } from '../../ports/index.ts'
import { slaBandsOf } from '../sla-bands.ts'
import type { ItemReading, ItemValues } from './item-reading.ts'

export async function thresholdValues(
  run: BenchResult,
  { reading }: ItemReading,
): Promise<ItemValues<'thresholds'>> {
  const plan = await reading.deps.stores.benchRuns.findPlan(reading.caller, run.id)
  return {
    type: 'thresholds',
    thresholds: await thresholdsOf(reading, run),
    bands: plan === undefined ? [] : await slaBandsOf(reading, run, plan),
  }
}

/** The thresholds of the scenario of a run, held against what was measured. What was imported has none. */
export async function thresholdsOf(
  reading: Reading,
  run: BenchResult,
): Promise<ItemValues<'thresholds'>['thresholds']> {
  const plan = await reading.deps.stores.benchRuns.findPlan(reading.caller, run.id)
  if (plan === undefined || run.importedFrom !== null) return []
  const judged = await judgeThresholds(reading, run, plan)
  return judged.map(thresholdOnWire)
}
