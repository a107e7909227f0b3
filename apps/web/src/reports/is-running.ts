import { hasBenchEnded } from '@flamegate/contract'
import type { ReportAnswer } from './report-source.ts'

/** Whether numbers of a report still change. */
export function isRunning({ runs }: ReportAnswer): boolean {
  return runs.some((run) => run !== null && !hasBenchEnded(run.state))
}
