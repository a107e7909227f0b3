import { operations, Problem } from '@flamegate/contract'
import { countOutcomes } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { reach } from '../targets.ts'

export const getImportReport = implement(operations.getImportReport)(async (input, context) => {
  const stored = await context.deps.stores.imports.find(context.caller, input.task_id)
  if (stored === undefined) {
    throw new Problem('task_not_found', 'No import in your workspaces has stored anything under this id.', {
      hint: [operations.getTaskResult, 'tells how far it is'],
    })
  }
  await reach(context, stored.workspaceId, stored.taskId)
  const { report, result } = stored
  const searched = input.search?.toLowerCase()
  const fitting = report.elements.filter(
    ({ outcome, place, kind, name, note }) =>
      (input.outcome === undefined || outcome === input.outcome) &&
      (searched === undefined ||
        [place, kind, name, note ?? ''].some((text) => text.toLowerCase().includes(searched))),
  )
  const end = input.offset + input.limit
  return {
    task_id: stored.taskId,
    project_id: stored.projectId,
    format: report.format,
    file_name: stored.fileName,
    virtual_users: result.virtual_users,
    ...countOutcomes(report),
    notes: report.notes,
    elements: fitting.slice(input.offset, end).map(({ actionId, virtualUserId, ...element }) => ({
      ...element,
      action_id: actionId,
      virtual_user_id: virtualUserId ?? null,
    })),
    next_offset: end < fitting.length ? end : null,
    created_at: stored.createdAt.toISOString(),
  }
})
