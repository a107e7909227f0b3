import type { operations, OutputOf } from '@flamegate/contract'
import type { BenchReport, ReportItem, ReportItemType } from '@flamegate/loadtest'
import { drawnSeconds, lateSeconds, measuredSeconds } from '../../bench-runs/measured-seconds.ts'
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

type Seconds = Pick<ReportItem, 'from_second' | 'to_second'>

/** The seconds of a run that an item draws. The last ones of what goes on are not told by all agents yet. */
export function secondsOf(item: Seconds, run: BenchResult): { from: number; to: number } {
  return within(item, run, drawnSeconds(run))
}

/** Those that an item has one number of, up to the last of which something was measured. */
export function totalSecondsOf(item: Seconds, run: BenchResult): { from: number; to: number } {
  return within(item, run, measuredSeconds(run))
}

function within(
  { from_second: from, to_second: to }: Seconds,
  { endedAt }: BenchResult,
  end: number,
): { from: number; to: number } {
  const told = end - (endedAt === null ? lateSeconds : 0)
  return { from, to: Math.max(from + 1, Math.min(to ?? told, told)) }
}
