import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { reportOnWire } from './on-wire.ts'

export const listBenchReports = implement(operations.listBenchReports)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const filter = { kind: 'bench_report', search: input.search } as const
  const { rows, nextCursor } = await pageOf(
    'bench_reports',
    input,
    { project: project.id, ...filter },
    (page) => context.deps.stores.designs.list(context.caller, project.id, page, filter),
  )
  return { project_id: project.id, bench_reports: rows.map(reportOnWire), next_cursor: nextCursor }
})
