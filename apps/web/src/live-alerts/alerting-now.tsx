import { formatAlertValue, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useAnswer } from '../api.ts'
import { Caution } from '../components/caution.tsx'
import { alertTitles } from './alert-titles.ts'

/** Which thresholds a live app is beyond for long enough, as long as it is; nothing while it is beyond none. */
export function AlertingNow({ projectId, liveAppId }: { projectId: string; liveAppId: string }) {
  const { data } = useAnswer(
    operations.getAlertThresholds,
    { project_id: projectId, live_app_id: liveAppId },
    { pollWhile: () => true, pollEveryMs: 5000 },
  )
  const alerting = data?.judged.filter(({ state }) => state === 'alerting') ?? []
  if (alerting.length === 0) return null
  return (
    <Caution>
      {alerting.map(({ type, of, value, limit, unit }) => (
        <span key={type} className="block">
          {alertTitles[type]}
          {of === '' ? '' : `, ${of}`}
          {value === null || limit === null || unit === null
            ? null
            : `: ${formatAlertValue(value, unit)}, above ${formatAlertValue(limit, unit)}`}
        </span>
      ))}
      <Link to="/projects/$projectId/alerts" params={{ projectId }} className="font-medium underline">
        Alerts of the project
      </Link>
    </Caution>
  )
}
