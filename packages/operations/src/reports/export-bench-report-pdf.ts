import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getReport } from './reaching.ts'

export const exportBenchReportPdf = implement(operations.exportBenchReportPdf)(async (input, context) => {
  const { caller, deps, requestId } = context
  const { id, workspaceId, projectId } = await getReport(context, input.bench_report_id)
  const { format } = input
  const taskId = newId('task')
  await deps.stores.tasks.create(caller, {
    id: taskId,
    workspaceId,
    projectId,
    kind: 'print_bench_report',
    message: 'Waiting for a worker',
    result: { bench_report_id: id, format },
  })
  try {
    await deps.queue.add('print_bench_report', { taskId, workspaceId, requestId })
  } catch (cause) {
    const detail = 'The queue of jobs could not be reached, so nothing is printed. Try it again later.'
    await deps.stores.tasks.finish(caller, taskId, { problem: { code: 'unavailable', detail } })
    throw new Problem('unavailable', detail, { cause })
  }
  return { bench_report_id: id, format, task_id: taskId, next_poll_seconds: 2 }
})
