import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement, type CallContext } from '../implement.ts'
import { getProject } from '../targets.ts'
import { alertOnWire, alertsOffOnWire } from './watching-on-wire.ts'

export const listPerformanceAlerts = implement(operations.listPerformanceAlerts)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const filter = {
    ...(input.state === 'all' ? {} : { state: input.state }),
    ...(input.branch === undefined ? {} : { branch: input.branch }),
    ...(input.benchmark_id === undefined
      ? {}
      : { benchmarkId: await presentId(context, input.benchmark_id) }),
    ...(input.run_id === undefined ? {} : { runId: input.run_id }),
  }
  const { rows, nextCursor } = await pageOf('alerts', input, { project: project.id, ...filter }, (page) =>
    context.deps.stores.alerts.list(context.caller, project.id, page, filter),
  )
  return {
    project_id: project.id,
    alerts_off: alertsOffOnWire(project),
    alerts: rows.map(alertOnWire),
    next_cursor: nextCursor,
  }
})

/** Of a benchmark that was merged into another one, that of the other. */
async function presentId({ caller, deps }: CallContext, id: string): Promise<string> {
  return (await deps.stores.benchmarks.find(caller, id))?.id ?? id
}
