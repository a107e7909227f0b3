import { operations, type InputOf } from '@flamegate/contract'
import { byMinute, decodeChunk, encodeChunk, mergeValues, type MonitorValues } from '@flamegate/loadtest'
import { implement, type CallContext } from '../implement.ts'
import type { BenchResult, DesignObject, MonitorBatch, MonitorSighting } from '../ports/index.ts'
import { getMonitorObject } from './reaching.ts'

type Input = InputOf<typeof operations.reportMonitor>
type Run = NonNullable<Input['run']>

/** What clocks may differ by, and what is told late. */
const slackSeconds = 5

export const reportMonitor = implement(operations.reportMonitor)(async (input, context) => {
  const monitor = await getMonitorObject(context, input.monitor_id, { evenDeleted: true })
  const sighting = { agent: input.agent, isReachable: input.is_reachable, message: input.message }
  // Every few seconds, all the time that a run takes.
  if (input.run !== undefined) context.isUneventful()
  if (input.check !== undefined) {
    const { counters, counter_count: counterCount } = input.check
    await context.deps.stores.monitors.noteCheck(context.caller, monitor, {
      ...sighting,
      counters,
      counterCount,
    })
  }
  const goesOn = input.run !== undefined && (await noteRun(monitor, input.run, sighting, context))
  return {
    project_id: monitor.projectId,
    order: goesOn ? ('go_on' as const) : ('gone' as const),
    now: new Date().toISOString(),
  }
})

/** Stores what was collected in a run. @returns whether it is to be collected further */
async function noteRun(
  { id: monitorId, projectId }: DesignObject,
  { bench_result_id: benchResultId, lease, batches }: Run,
  sighting: MonitorSighting,
  { caller, deps }: CallContext,
): Promise<boolean> {
  const run = await deps.stores.benchRuns.find(caller, benchResultId)
  if (run?.projectId !== projectId) return false
  const isStored = await deps.stores.monitors.append(
    caller,
    { benchResultId, monitorId, lease },
    { ...sighting, batches: batches.map((batch) => batchOf(batch, secondsOf(run))) },
  )
  return isStored && run.endedAt === null
}

/** Seconds that the run has had by now. */
function secondsOf({ startedAt, endedAt }: BenchResult): number {
  if (startedAt === null) return 0
  return (
    ((endedAt ?? new Date()).getTime() - startedAt.getTime()) / 1000 + (endedAt === null ? slackSeconds : 0)
  )
}

function batchOf({ sequence, ...values }: Run['batches'][number], secondsMax: number): MonitorBatch {
  return {
    sequence,
    minutes: new Map(
      [...byMinute(upTo(secondsMax, values))].map(([minute, added]) => [
        minute,
        (stored) => encodeChunk(mergeValues(...(stored === undefined ? [] : [decodeChunk(stored)]), added)),
      ]),
    ),
  }
}

function upTo(secondsMax: number, { seconds, counters }: MonitorValues): MonitorValues {
  const count = seconds.filter((second) => second <= secondsMax).length
  return {
    seconds: seconds.slice(0, count),
    counters: counters.map((counter) => ({ ...counter, values: counter.values.slice(0, count) })),
  }
}
