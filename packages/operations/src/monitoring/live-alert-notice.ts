import { formatAlertValue } from '@flamegate/contract'
import type { Reading } from '../implement.ts'
import { liveAlertOnWire, pageOfLiveAlert } from '../live/alert-on-wire.ts'
import type { Delivery, LiveAlertEvent, LiveAlertType } from '../ports/index.ts'
import type { Told } from './run-notice.ts'

const titles: Readonly<Record<LiveAlertType, string>> = {
  high_cpu: 'High processor time',
  high_memory: 'High memory',
  slow_response: 'Slow responses',
  high_error_rate: 'Many errors',
}

/** What is told of an alert about a program that runs; undefined when it is gone. */
export async function toldOfLiveAlert(
  { caller, deps }: Reading,
  {
    event,
    subjectIds: [id = ''],
    createdAt,
  }: Pick<Delivery, 'subjectIds' | 'createdAt'> & { event: LiveAlertEvent },
  publicUrl: string,
): Promise<Told | undefined> {
  const alert = await deps.stores.liveAlerts.find(caller, id)
  const project = alert && (await deps.stores.projects.find(caller, alert.projectId))
  if (alert === undefined || project === undefined) return undefined
  const isOver = event === 'live_alert_resolved'
  const url = `${publicUrl}${pageOfLiveAlert(alert)}`
  return {
    type: event,
    at: createdAt,
    notice: {
      title: `${titles[alert.type]}${isOver ? ' no more' : ''}: ${alert.targetName}`,
      words: isOver && alert.stateReason !== '' ? alert.stateReason : alert.reason,
      facts: [
        { label: 'Project', value: project.name },
        { label: 'Value', value: formatAlertValue(alert.value, alert.unit) },
        { label: 'Limit', value: formatAlertValue(alert.crossedLimit, alert.unit) },
        { label: 'Since', value: alert.since.toISOString() },
        ...(alert.until === null ? [] : [{ label: 'Until', value: alert.until.toISOString() }]),
      ],
      link: { url, label: 'Open the live app' },
    },
    data: {
      project: { id: project.id, name: project.name, url: `${publicUrl}/projects/${project.id}` },
      alert: { ...liveAlertOnWire(alert), url },
    },
  }
}
