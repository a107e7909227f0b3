import { numbersOf } from '../bench-runs/numbers-of.ts'
import { benchResultOnWire, thresholdOnWire } from '../bench-runs/on-wire.ts'
import { judgeThresholds } from '../bench-runs/thresholds.ts'
import type { Reading } from '../implement.ts'
import type { BenchResult, Delivery, Notification, NotificationEvent, RunEvent } from '../ports/index.ts'
import { hasPassed } from '../sla/has-passed.ts'
import { judgeSla } from '../sla/judge-sla.ts'
import type { Notice } from './channels/notice.ts'

/** What a notification says: to people, and to programs. */
export interface Told {
  notice: Notice
  /** `type` of the message of a program. */
  type: NotificationEvent | 'ping'
  at: Date
  data: Record<string, unknown>
}

const titles: Readonly<Record<RunEvent, string>> = {
  test_started: 'Test started',
  test_ended: 'Test ended',
  test_passed: 'Test passed',
  test_failed: 'Test failed',
  test_error: 'Test could not be run',
}

/** Faults that a message names; the page has all. */
const faultsMax = 5

/** What is told of a run; undefined when it is gone. */
export async function toldOfRun(
  reading: Reading,
  {
    event,
    subjectIds: [id = ''],
    createdAt,
  }: Pick<Delivery, 'subjectIds' | 'createdAt'> & { event: RunEvent },
  publicUrl: string,
): Promise<Told | undefined> {
  const { caller, deps } = reading
  const run = await deps.stores.benchRuns.find(caller, id)
  const project = run && (await deps.stores.projects.find(caller, run.projectId))
  if (run === undefined || project === undefined) return undefined
  const plan = await deps.stores.benchRuns.findPlan(caller, run.id)
  const thresholds = plan === undefined ? [] : await judgeThresholds(reading, run, plan)
  const sla = plan === undefined ? [] : await judgeSla(reading, run, plan)
  const numbers = await numbersOf(reading, run)
  const url = `${publicUrl}${pageOf(run)}`
  const faults = [
    ...thresholds.filter(({ state }) => state === 'breached').map(({ text }) => `Breached: ${text}`),
    ...sla
      .filter(({ severity }) => severity !== 'passed')
      .map(({ severity, name, of, words }) => `SLA ${name}, ${severity} (${of}): ${words}`),
  ]
  // Whatever a run that goes on has measured by now says little.
  const hasEnded = run.endedAt !== null && event !== 'test_started'
  return {
    type: event,
    at: createdAt,
    notice: {
      title: `${titles[event]}: ${run.name}`,
      words: hasEnded
        ? [run.message, ...faults.slice(0, faultsMax)].filter((text) => text !== '').join('\n')
        : '',
      facts: [
        { label: 'Project', value: project.name },
        { label: 'Users', value: String(run.usersMax) },
        { label: 'Duration', value: `${Math.round(run.durationMs / 1000)} s` },
        ...(hasEnded && numbers !== null
          ? [
              { label: 'Requests', value: `${numbers.count}, ${numbers.failed} failed` },
              { label: 'Response time p95', value: numbers.p95_ms === null ? '–' : `${numbers.p95_ms} ms` },
            ]
          : []),
      ],
      link: { url, label: 'Open the run' },
    },
    data: {
      project: { id: project.id, name: project.name, url: `${publicUrl}/projects/${project.id}` },
      bench_result: { ...benchResultOnWire(run), url },
      users_max: run.usersMax,
      numbers,
      passed: hasEnded && run.state !== 'ERROR' ? hasPassed(thresholds, sla) : null,
      thresholds: thresholds.map(thresholdOnWire),
      sla,
    },
  }
}

/** What is sent to try a notification out. */
export function trial({ id, name, workspaceId }: Notification, publicUrl: string): Told {
  const url = `${publicUrl}/workspaces/${workspaceId}/notifications`
  return {
    type: 'ping',
    at: new Date(),
    notice: {
      title: `A trial of the notification ${name}`,
      words: 'Somebody pressed Test. Load tests are told of in the same way.',
      facts: [],
      link: { url, label: 'Open the notifications' },
    },
    data: { workspace_id: workspaceId, notification_id: id },
  }
}

function pageOf({ id, projectId }: Pick<BenchResult, 'id' | 'projectId'>): string {
  return `/projects/${projectId}/bench-results/${id}`
}
