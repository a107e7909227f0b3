import type { BenchRowShape } from '@flamegate/contract'
import { holdsOthers } from '../../bench-runs/holds-others.ts'
import { measureActions, rowOf, type MeasuredActions } from '../../bench-runs/measured-actions.ts'
import type { ReportItem } from '@flamegate/loadtest'
import type { BenchResult } from '../../ports/index.ts'
import type { ItemReading } from './item-reading.ts'

export interface MeasuredRows {
  /** null: nothing was measured. */
  total: BenchRowShape | null
  rows: BenchRowShape[]
  measured: MeasuredActions
}

type Span = Pick<ReportItem, 'from_second' | 'to_second'>

/** What was measured of a run in the seconds of an item, as rows. */
export async function measureRows(
  { from_second: fromSecond, to_second: toSecond }: Span,
  run: BenchResult,
  { reading, report }: Pick<ItemReading, 'reading' | 'report'>,
): Promise<MeasuredRows> {
  const measured = await measureActions(reading, run, { fromSecond, toSecond })
  const { total, actions } = measured
  return {
    total:
      total === undefined ? null : rowOf({ action: null, bucket: total }, measured, report.apdex_target_ms),
    rows: actions.map((each) => rowOf(each, measured, report.apdex_target_ms)),
    measured,
  }
}

/** The rows that an item shows. */
export function wantedRows(
  rows: readonly BenchRowShape[],
  which: 'all' | 'actions' | 'containers',
): BenchRowShape[] {
  return rows.filter((row) => {
    const isContainer = holdsOthers({ type: row.type ?? '' })
    return which === 'all' || (which === 'containers') === isContainer
  })
}

/** An action with the containers that it is in. */
export function fullName({ path, name }: Pick<BenchRowShape, 'path' | 'name'>): string {
  return [...path, name].join(' / ')
}
