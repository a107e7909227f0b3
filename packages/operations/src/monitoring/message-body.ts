import { checkByDefault } from '../benchmarks/check-run.ts'
import { alertOnWire } from '../benchmarks/watching-on-wire.ts'
import type { Reading } from '../implement.ts'
import { liveAlertOnWire, pageOfLiveAlert } from '../live/alert-on-wire.ts'
import type { Delivery, Project } from '../ports/index.ts'

/** Version of the bodies; fields may be added to one without a new version. */
const version = 1
const alertsMax = 100

type Told = Pick<Delivery, 'projectId' | 'event' | 'subjectIds' | 'createdAt'>

/** What a message says, as JSON; undefined when what it is about is gone. */
export async function messageBody(
  reading: Reading,
  told: Told,
  publicUrl: string,
): Promise<string | undefined> {
  const project = await reading.deps.stores.projects.find(reading.caller, told.projectId)
  if (project === undefined) return undefined
  const data = await dataOf(reading, told, publicUrl)
  return data && bodyOf(told.event, told.createdAt, { ...projectData(project, publicUrl), ...data })
}

/** What a webhook is sent to be tried out. */
export function pingBody(project: Project, webhookId: string, publicUrl: string): string {
  return bodyOf('ping', new Date(), { ...projectData(project, publicUrl), webhook_id: webhookId })
}

/** A message as programs get it. */
export function bodyOf(type: string, at: Date, data: Record<string, unknown>): string {
  return JSON.stringify({ type, version, timestamp: at.toISOString(), data })
}

function projectData({ id, name, repository }: Project, publicUrl: string) {
  return { project: { id, name, repository, url: `${publicUrl}/projects/${id}` } }
}

function dataOf(reading: Reading, { event, subjectIds }: Told, publicUrl: string) {
  switch (event) {
    case 'run.completed':
      return runData(reading, subjectIds, publicUrl)
    case 'live_alert.opened':
    case 'live_alert.resolved':
      return liveAlertData(reading, subjectIds, publicUrl)
    default:
      return alertData(reading, subjectIds, publicUrl)
  }
}

async function alertData({ caller, deps }: Reading, ids: readonly string[], publicUrl: string) {
  const found = await findAll(ids.slice(0, alertsMax), (id) => deps.stores.alerts.find(caller, id))
  if (found.length === 0) return undefined
  return {
    alerts: found.map((alert) => ({
      ...alertOnWire(alert),
      url: `${publicUrl}/benchmarks/${alert.benchmarkId}`,
    })),
    alert_count: ids.length,
  }
}

async function liveAlertData({ caller, deps }: Reading, ids: readonly string[], publicUrl: string) {
  const found = await findAll(ids, (id) => deps.stores.liveAlerts.find(caller, id))
  if (found.length === 0) return undefined
  return {
    alerts: found.map((alert) => ({
      ...liveAlertOnWire(alert),
      url: `${publicUrl}${pageOfLiveAlert(alert)}`,
    })),
    alert_count: ids.length,
  }
}

async function runData(reading: Reading, [id = '']: readonly string[], publicUrl: string) {
  const run = await reading.deps.stores.runs.find(reading.caller, id)
  if (run?.status !== 'COMPLETED') return undefined
  const { answer, counts } = await checkByDefault(reading, run, publicUrl)
  const runUrl = `${publicUrl}/runs/${run.id}`
  return {
    run: { ...answer.head, url: runUrl },
    base_run: answer.base && { ...answer.base, url: `${publicUrl}/runs/${answer.base.id}` },
    passed: answer.passed,
    failure_count: answer.failure_count,
    verdict_counts: counts ?? null,
    report_url: `${runUrl}/report`,
  }
}

async function findAll<T>(
  ids: readonly string[],
  find: (id: string) => Promise<T | undefined>,
): Promise<T[]> {
  const found = await Promise.all(ids.map(find))
  return found.flatMap((each) => each ?? [])
}
