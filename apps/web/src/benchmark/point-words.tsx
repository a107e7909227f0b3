import { formatChangePercent, formatQuantity } from '@flamegate/contract'
import type { History, Point } from './history.ts'

/** What floats beside a point of the history: its value, its commit, and what was found there. */
export function PointWords({ point, history }: { point: Point; history: History }) {
  const { changes, alerts } = foundAt(point, history)
  return (
    <>
      <p className="font-medium tabular-nums">{formatQuantity(point.value, history.unit)}</p>
      <p className="truncate">
        {point.branch} <code className="text-muted">{point.commit_hash.slice(0, 9)}</code>
      </p>
      <p className="line-clamp-2">{firstLine(point)}</p>
      <p className="text-muted">{timeOf(point)}</p>
      {changes.map((change) => (
        <p key={change.run_id} className="mt-1 font-medium">
          Level changed by {formatChangePercent(change.change_percent)}
        </p>
      ))}
      {alerts.map((alert) => (
        <p key={alert.id} className={`mt-1 ${alert.verdict === 'regressed' ? 'text-worse' : 'text-better'}`}>
          Alert, {alert.state}: {formatChangePercent(alert.change_percent)}
        </p>
      ))}
    </>
  )
}

/** The same as one sentence, for those who do not see it. */
export function pointSentence(point: Point, history: History): string {
  const { changes, alerts } = foundAt(point, history)
  return [
    [formatQuantity(point.value, history.unit), point.branch, firstLine(point), timeOf(point)].join(', '),
    ...changes.map((change) => `level changed by ${formatChangePercent(change.change_percent)}`),
    ...alerts.map((alert) => `alert, ${alert.state}: ${formatChangePercent(alert.change_percent)}`),
  ].join('; ')
}

function foundAt({ run_id, branch }: Point, { change_points, alerts }: History) {
  const isHere = (each: { run_id: string; branch: string }) =>
    each.run_id === run_id && each.branch === branch
  return { changes: change_points.filter(isHere), alerts: alerts.filter(isHere) }
}

function firstLine({ commit_message }: Point): string {
  return commit_message.split('\n')[0] ?? ''
}

function timeOf({ at }: Point): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}
