import { formatQuantity, type Caller } from '@flamegate/contract'
import { defaultBranchOf } from '../benchmarks/default-branch.ts'
import type { Reading } from '../implement.ts'
import type { Stores } from '../ports/index.ts'

/** What a badge says. */
export interface Badge {
  label: string
  message: string
  mood: 'good' | 'bad' | 'neutral'
}

const alertsMax = 99

/**
 * What the badge with this token says: how many regressions are open on a branch (the default one when none is named),
 * or the newest value of one of its benchmarks. Undefined when there is no such badge.
 */
export async function badgeOf(
  stores: Stores,
  token: string,
  asked: { branch?: string | undefined; benchmark?: string | undefined },
): Promise<Badge | undefined> {
  const place = await stores.badges.findPlace(token)
  if (place === undefined) return undefined
  const caller = onlooker(place)
  const project = await stores.projects.find(caller, place.projectId)
  if (project === undefined) return undefined
  const reading = { caller, deps: { stores } }
  const branch = asked.branch ?? (await defaultBranchOf(stores, caller, project))
  return asked.benchmark === undefined
    ? regressions(reading, project.id, branch)
    : newestValue(reading, project.id, branch, asked.benchmark)
}

/** Whoever looks at a badge: somebody who may read one project, and of it only what the badge says. */
function onlooker({ workspaceId, projectId }: { workspaceId: string; projectId: string }): Caller {
  return {
    principal: {
      userId: 'usr_badge',
      via: 'session',
      clientId: 'badge',
      clientName: 'Badge',
      scopes: ['read'],
      workspaceIds: [workspaceId],
      projectId,
    },
    roles: new Map([[workspaceId, 'viewer']]),
    access: 'read',
  }
}

async function regressions({ caller, deps }: Reading, projectId: string, branch: string): Promise<Badge> {
  const label = 'performance'
  const { alerts, runs } = deps.stores
  if ((await runs.findLatest(caller, { projectId, branch })) === undefined)
    return { label, message: 'no runs', mood: 'neutral' }
  const wanted = { state: 'open', verdict: 'regressed', branch } as const
  const { length: count } = await alerts.list(caller, projectId, { limit: alertsMax }, wanted)
  if (count === 0) return { label, message: 'no regressions', mood: 'good' }
  const words = count > alertsMax ? `over ${alertsMax}` : String(count)
  return { label, message: `${words} ${count === 1 ? 'regression' : 'regressions'}`, mood: 'bad' }
}

async function newestValue(
  { caller, deps }: Reading,
  projectId: string,
  branch: string,
  reference: string,
): Promise<Badge> {
  const { benchmarks } = deps.stores
  const found =
    (await benchmarks.find(caller, reference)) ?? (await benchmarks.findByUri(caller, projectId, reference))
  if (found === undefined) return { label: 'performance', message: 'no such benchmark', mood: 'neutral' }
  const { points } = await benchmarks.history(caller, found.id, { branch, limit: 1 })
  const newest = points.at(-1)
  return {
    label: found.name,
    message: newest === undefined ? 'no runs' : formatQuantity(newest.value, newest.unit),
    mood: 'neutral',
  }
}
