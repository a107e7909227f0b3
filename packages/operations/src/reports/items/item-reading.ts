import type { operations, OutputOf } from '@flamegate/contract'
import type { BenchReport, ReportItem, ReportItemType } from '@flamegate/loadtest'
import { lateSeconds, measuredSeconds } from '../../bench-runs/measured-seconds.ts'
import type { Reading } from '../../implement.ts'
import type { BenchResult } from '../../ports/index.ts'

type AnyItemValues = OutputOf<typeof operations.getReportItemValues>['values']
/** Values of an item of a type. */
export type ItemValues<Type extends ReportItemType = ReportItemType> = Extract<AnyItemValues, { type: Type }>

/** What it takes to read the values of an item. */
export interface ItemReading {
  reading: Reading
  projectId: string
  report: BenchReport
  /** Of each line of a chart, at most. */
  pointsMax: number
}

/** The seconds of a run that an item is about. The last ones of what goes on are not told by all agents yet. */
export function secondsOf(
  { from_second: from, to_second: to }: Pick<ReportItem, 'from_second' | 'to_second'>,
  run: BenchResult,
): { from: number; to: number } {
  const told = measuredSeconds(run) - (run.endedAt === null ? lateSeconds : 0)
  return { from, to: Math.max(from + 1, Math.min(to ?? told, told)) }
}
