import type { Reading } from '../implement.ts'
import type { BenchPlan, BenchResult } from '../ports/index.ts'
import { judgeSla } from '../sla/judge-sla.ts'
import type { ItemValues } from './items/item-reading.ts'

/** Bands of the SLA profiles that are attached to what a run is of, held against what it measured. */
export function slaBandsOf(
  reading: Reading,
  run: BenchResult,
  plan: BenchPlan,
): Promise<ItemValues<'thresholds'>['bands']> {
  return judgeSla(reading, run, plan)
}
