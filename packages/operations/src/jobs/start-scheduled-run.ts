import { Problem, roleAtLeast, type Caller } from '@flamegate/contract'
import { decideFiring, settled, startingFiring } from '../bench-runs/decide-firing.ts'
import { queueRun, startRun, type Starting } from '../bench-runs/start-run.ts'
import { mayComeBack, type Firing, type StoredSchedule, type Stores } from '../ports/index.ts'
import { requireFeature } from '../limits/plan-features.ts'
import { workerCaller, type JobHandler } from './job.ts'

/** Decides what becomes of a schedule that is due, and starts its run. Coming twice does no harm: the row says what is done. */
export const startScheduledRun: JobHandler<'start_scheduled_run'> = async (payload, deps) => {
  const { workspaceId, scheduleId, requestId } = payload
  const { schedules } = deps.stores
  const caller = workerCaller(workspaceId)
  const found = await schedules.find(caller, scheduleId)
  if (found === undefined) return
  const runningId = await runningOf(deps.stores, caller, found)
  const schedule = await schedules.change(caller, scheduleId, (now) =>
    decideFiring(now, runningId, new Date()),
  )
  if (schedule === undefined) return
  const firing = startingFiring(schedule)
  if (firing === undefined) return
  const failure = await start(schedule, firing.bench_result_id, deps, requestId)
  await schedules.change(caller, scheduleId, (now) => settled(now, firing.bench_result_id, failure))
}

/** The run that it started last, when that has not ended. */
async function runningOf(
  { benchRuns }: Stores,
  caller: Caller,
  { firings }: { firings: readonly Firing[] },
): Promise<string | undefined> {
  const last = firings.find(({ outcome }) => outcome === 'STARTED')?.bench_result_id
  const run = last ? await benchRuns.find(caller, last) : undefined
  return run?.endedAt === null ? run.id : undefined
}

/**
 * Starts the run in the name of whoever made the schedule, by the rights they have now. Why it could not be, in words; while something is away,
 * that passes through, so that what has begun of it is gone on with.
 */
async function start(
  { workspaceId, scenarioId, name, agentsMax, createdBy }: StoredSchedule,
  benchResultId: string,
  deps: Starting['deps'],
  requestId: string,
): Promise<string | undefined> {
  const { stores } = deps
  const role = (await stores.memberships.rolesOf(createdBy)).get(workspaceId)
  if (role === undefined || !roleAtLeast(role, 'member'))
    return 'Whoever made this schedule may run nothing in this workspace any more. Delete it, and make it anew.'
  const caller: Caller = {
    principal: {
      userId: createdBy,
      via: 'session',
      clientId: 'schedule',
      clientName: 'Schedule',
      scopes: ['run'],
      workspaceIds: [workspaceId],
    },
    roles: new Map([[workspaceId, role]]),
    access: 'write',
  }
  const starting = { caller, deps, requestId }
  const begun = await stores.benchRuns.find(caller, benchResultId)
  if (begun !== undefined) {
    await queueRun(starting, begun)
    return undefined
  }
  const object = await stores.designs.find(caller, scenarioId)
  if (object?.kind !== 'scenario') return 'The scenario was deleted.'
  try {
    await requireFeature(stores, workspaceId, 'scenarios')
    await startRun(starting, object, { name, agentsMax, benchResultId })
    return undefined
  } catch (error) {
    if (!(error instanceof Problem) || mayComeBack(error)) throw error
    return error.message
  }
}
