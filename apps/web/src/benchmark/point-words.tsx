import { formatChangePercent, formatQuantity } from '@flamegate/contract'
import type { History, Point } from './history.ts'

/** What floats beside a point of the history: its value, its commit, and what was found there. */
export function PointWords({ point, history }: { point: Point; history: History }) {
  const { unit, alerts, change_points } = history
  const isHere = ({ run_id, branch }: { run_id: string; branch: string }) =>
    run_id === point.run_id && branch === point.branch
  const change = change_points.find(isHere)
  return (
    <>
      <p className="font-medium tabular-nums">{formatQuantity(point.value, unit)}</p>
      <p className="truncate">
        {point.branch} <code className="text-muted">{point.commit_hash.slice(0, 9)}</code>
      </p>
      <p className="line-clamp-2">{point.commit_message.split('\n')[0]}</p>
      <p className="text-muted">
        {new Date(point.at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
      </p>
      {change === undefined ? null : (
        <p className="mt-1 font-medium">Level changed by {formatChangePercent(change.change_percent)}</p>
      )}
      {alerts.filter(isHere).map((alert) => (
        <p key={alert.id} className={`mt-1 ${alert.verdict === 'regressed' ? 'text-worse' : 'text-better'}`}>
          Alert, {alert.state}: {formatChangePercent(alert.change_percent)}
        </p>
      ))}
    </>
  )
}
