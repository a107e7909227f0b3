import { Problem, type operations, type OutputOf } from '@flamegate/contract'
import type { AlertReading, Unjudged } from '@flamegate/live'
import type { CallContext } from '../implement.ts'
import type { LiveAlertType, LiveApp, Project } from '../ports/index.ts'
import { alertThresholdsOf, setFor } from './alert-thresholds-of.ts'
import { readAlerts } from './read-alerts.ts'
import { getLiveApp } from './reaching.ts'

type Answer = OutputOf<typeof operations.setAlertThresholds>
type Judged = Answer['judged'][number]

/** Apps that are judged for an answer, those that were pushed to last. */
const appsMax = 20

/**
 * An app of the project, when one is named.
 * @throws Problem `live_app_not_found`
 */
export async function appOfProject(
  context: CallContext,
  project: Pick<Project, 'id'>,
  id: string | undefined,
): Promise<LiveApp | undefined> {
  const app = id === undefined ? undefined : await getLiveApp(context, id)
  if (app === undefined || app.projectId === project.id) return app
  throw new Problem('live_app_not_found', 'That live app belongs to another project.')
}

/** Thresholds of a project or of one of its apps, and how apps stand to them now. */
export async function answerAlertThresholds(
  { caller, deps }: CallContext,
  project: Pick<Project, 'id'>,
  app: LiveApp | undefined,
): Promise<Answer> {
  const { live, liveAlerts } = deps.stores
  const [stored, lasting, apps] = await Promise.all([
    liveAlerts.listThresholds(caller, project.id),
    liveAlerts.listLasting(caller, project.id),
    app === undefined ? live.list(caller, project.id) : [app],
  ])
  const pushing = apps.filter(({ endedAt, lastPushAt }) => endedAt === null && lastPushAt !== null)
  const judged = await Promise.all(
    pushing.slice(0, appsMax).map(async (each) => {
      const readings = await readAlerts(
        caller,
        liveAlerts,
        each,
        alertThresholdsOf(stored, 'live_app', each.id),
      )
      const own = setFor(stored, 'live_app', each.id)
      return [...readings].map(([type, reading]) =>
        judgedOnWire(each, type, reading, {
          isOwn: own[type] !== undefined,
          isAlerting: lasting.some((alert) => alert.targetId === each.id && alert.type === type),
        }),
      )
    }),
  )
  return {
    project_id: project.id,
    target: 'live_app',
    live_app_id: app?.id ?? null,
    mcp_target_id: null,
    thresholds: alertThresholdsOf(stored, 'live_app', app?.id ?? null),
    judged: judged.flat(),
    mcp_targets: [],
  }
}

function judgedOnWire(
  app: LiveApp,
  type: LiveAlertType,
  reading: AlertReading | Unjudged,
  { isOwn, isAlerting }: { isOwn: boolean; isAlerting: boolean },
): Judged {
  const head = { live_app_id: app.id, app: app.name, type, is_own: isOwn }
  if ('unjudged' in reading) {
    const state = isAlerting ? 'alerting' : 'unjudged'
    return { ...head, state, value: null, limit: null, unit: null, of: '', reason: reading.unjudged }
  }
  const { value, limit, unit, of } = reading
  const isOver = value !== null && value > limit
  return {
    ...head,
    state: isAlerting ? 'alerting' : isOver ? 'over' : 'calm',
    value,
    limit,
    unit,
    of,
    reason: '',
  }
}
