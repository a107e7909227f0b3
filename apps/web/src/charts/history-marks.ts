import type { HistoryColumns, HistoryPoint } from './history-columns.ts'

/** A stretch of a branch at one level, between two changes. Times are Unix seconds. */
export interface LevelLine {
  /** Index among the branches of the columns. */
  branch: number
  fromTime: number
  toTime: number
  value: number
}

/** A run that something is to be said of, above its point. */
export interface AlertMark {
  column: number
  isWorse: boolean
  isOpen: boolean
}

interface RunPoint extends HistoryPoint {
  run_id: string
}

/** Where the level of a branch changed; `run_id` is the first run after it. */
export interface LevelChange {
  branch: string
  run_id: string
  before: number
  after: number
}

/** The levels of each branch from its first run to its last, one line between two changes; none without a change. */
export function levelLines<Point extends RunPoint>(
  columns: HistoryColumns<Point>,
  changes: readonly LevelChange[],
): LevelLine[] {
  const timeAt = (column: number) => columns.times[column] ?? 0
  return columns.branches.flatMap(({ name, values }, branch) => {
    const found = changes
      .filter((change) => change.branch === name)
      .map((change) => ({ ...change, column: columnOf(columns, change) }))
      .filter(({ column }) => column >= 0)
      .toSorted((a, b) => a.column - b.column)
    const first = values.findIndex((value) => value !== null)
    const last = values.findLastIndex((value) => value !== null)
    return found.flatMap((change, index) => {
      const at = timeAt(change.column)
      const next = found[index + 1]
      return [
        ...(index === 0 ? [{ branch, fromTime: timeAt(first), toTime: at, value: change.before }] : []),
        { branch, fromTime: at, toTime: timeAt(next?.column ?? last), value: change.after },
      ]
    })
  })
}

/** Where the alerts of a history lie; those of runs that are not shown are left out. */
export function alertMarks<Point extends RunPoint>(
  columns: HistoryColumns<Point>,
  alerts: readonly { branch: string; run_id: string; verdict: string; state: string }[],
): AlertMark[] {
  return alerts
    .map((alert) => ({
      column: columnOf(columns, alert),
      isWorse: alert.verdict === 'regressed',
      isOpen: alert.state === 'open',
    }))
    .filter(({ column }) => column >= 0)
}

function columnOf<Point extends RunPoint>(
  { points }: HistoryColumns<Point>,
  { branch, run_id }: { branch: string; run_id: string },
): number {
  return points.findIndex((point) => point.run_id === run_id && point.branch === branch)
}
