import { operations, type InputOf } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement, type CallContext } from '../implement.ts'
import { liveAlertOnWire } from '../live/alert-on-wire.ts'
import type { PageRequest } from '../ports/index.ts'
import { getProjectWithCounts } from '../targets.ts'
import { alertOnWire, alertsOffOnWire } from './watching-on-wire.ts'

type Input = InputOf<typeof operations.listPerformanceAlerts>

export const listPerformanceAlerts = implement(operations.listPerformanceAlerts)(async (input, context) => {
  const project = await getProjectWithCounts(context, input.project_id)
  const { limit: _limit, cursor: _cursor, ...filters } = input
  const { rows, nextCursor } = await pageOf('alerts', input, filters, async (page) => {
    const both = await Promise.all([ofBenchmarks(input, context, page), ofPrograms(input, context, page)])
    return both.flat().toSorted(newestFirst)
  })
  return {
    project_id: project.id,
    alerts_off: alertsOffOnWire(project),
    alerts: rows.map(({ onWire }) => onWire),
    next_cursor: nextCursor,
  }
})

async function ofBenchmarks(input: Input, context: CallContext, page: PageRequest) {
  if (input.kind === 'live_app' || input.kind === 'mcp_target' || programOf(input) !== undefined) return []
  const alerts = await context.deps.stores.alerts.list(context.caller, input.project_id, page, {
    ...stateOf(input),
    ...(input.branch === undefined ? {} : { branch: input.branch }),
    ...(input.benchmark_id === undefined
      ? {}
      : { benchmarkId: await presentId(context, input.benchmark_id) }),
    ...(input.run_id === undefined ? {} : { runId: input.run_id }),
  })
  return alerts.map((alert) => ({ ...placeOf(alert), onWire: alertOnWire(alert) }))
}

/** Of live apps and of MCP targets. */
async function ofPrograms(input: Input, context: CallContext, page: PageRequest) {
  const isOfBenchmarks = [input.branch, input.benchmark_id, input.run_id].some((each) => each !== undefined)
  if (input.kind === 'benchmark' || isOfBenchmarks) return []
  const targetId = programOf(input)
  const alerts = await context.deps.stores.liveAlerts.list(context.caller, input.project_id, page, {
    ...stateOf(input),
    ...(input.kind === 'all' ? {} : { targetKind: input.kind }),
    ...(targetId === undefined ? {} : { targetId }),
  })
  return alerts.map((alert) => ({ ...placeOf(alert), onWire: liveAlertOnWire(alert) }))
}

function programOf(input: Input): string | undefined {
  return input.live_app_id ?? input.mcp_target_id
}

function stateOf({ state }: Input) {
  return state === 'all' ? {} : { state }
}

interface Place {
  createdAt: Date
  id: string
}

function placeOf({ createdAt, id }: Place): Place {
  return { createdAt, id }
}

function newestFirst(a: Place, b: Place): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)
}

/** Of a benchmark that was merged into another one, that of the other. */
async function presentId({ caller, deps }: CallContext, id: string): Promise<string> {
  return (await deps.stores.benchmarks.find(caller, id))?.id ?? id
}
