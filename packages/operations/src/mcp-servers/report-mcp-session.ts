import { operations, Problem, type InputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import { hasEnded, type McpSession } from '../ports/index.ts'
import { keepOrdered } from './keep-session.ts'
import { getMcpSession } from './reaching.ts'
import { readMcpReport } from './read-report.ts'

export const reportMcpSession = implement(operations.reportMcpSession)(async (input, context) => {
  const session = await getMcpSession(context, input.mcp_session_id)
  const { taskId } = session
  if (taskId === null) {
    throw new Problem('invalid_input', 'This session was uploaded: nobody was asked to measure it.', {
      errors: [{ field: 'mcp_session_id', message: 'Give one of await_capture.' }],
    })
  }
  const { tasks } = context.deps.stores
  const before = await tasks.find(context.caller, taskId)
  const goesOn = await note(input, { ...session, taskId }, context)
  // Every few seconds: that it was started, with whichever report, and how it ended, is recorded.
  if (input.state === 'going_on' && before?.status === 'RUNNING') context.isUneventful()
  const task = await tasks.find(context.caller, taskId)
  if (task === undefined) throw new Problem('mcp_session_not_found', 'This session was deleted just now.')
  return {
    project_id: session.projectId,
    mcp_session_id: session.id,
    goes_on: goesOn && !hasEnded(task),
    status: task.status,
  }
})

/** @returns false where it does not go on */
async function note(
  { state, message, percent, ...left }: InputOf<typeof operations.reportMcpSession>,
  session: McpSession & { taskId: string },
  context: CallContext,
): Promise<boolean> {
  const { caller, deps } = context
  const { tasks, mcp } = deps.stores
  const { id, taskId } = session
  if (state === 'started' && !(await mcp.takeOrder(caller, id))) return false
  if (state === 'started' || state === 'going_on') {
    return tasks.progress(caller, taskId, { percent, message })
  }
  if (state === 'stopped') await tasks.finish(caller, taskId, { isCancelled: true })
  if (state === 'failed') {
    const detail = message === '' ? 'The collector did not say why.' : message
    await tasks.finish(caller, taskId, { problem: { code: 'processing_failed', detail } })
  }
  if (state === 'done') await finish(left, session, context)
  return false
}

async function finish(
  { report, result }: Pick<InputOf<typeof operations.reportMcpSession>, 'report' | 'result'>,
  session: McpSession & { taskId: string },
  context: CallContext,
): Promise<void> {
  if (report === undefined && result === undefined) {
    throw new Problem('invalid_input', 'What was measured is needed.', {
      errors: [{ field: 'report', message: 'Give it with done; or result, where a command has none.' }],
    })
  }
  const { caller, deps } = context
  const task = await deps.stores.tasks.find(caller, session.taskId)
  // What has ended stays as it is: called off, or given up.
  if (task === undefined || hasEnded(task)) return
  const read = report === undefined ? undefined : readMcpReport(report)
  const figures = await keepOrdered(context, session, read, result)
  await deps.stores.tasks.finish(caller, session.taskId, {
    result: {
      ...task.result,
      p95_ms: figures?.p95_ms ?? null,
      requests_per_second: figures?.requests_per_second ?? null,
      error_rate: figures?.error_rate ?? null,
      score: figures?.score ?? null,
      findings: figures?.findings ?? null,
    },
  })
}
