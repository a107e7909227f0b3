import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import type { Validation } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import { virtualUserOnWire } from './on-wire.ts'

export const listVirtualUsers = implement(operations.listVirtualUsers)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const { search, tag, deleted: areDeleted } = input
  const filter = { kind: 'virtual_user', search, tag, areDeleted } as const
  const { rows, nextCursor } = await pageOf(
    'virtual_users',
    input,
    { project: project.id, ...filter },
    (page) => context.deps.stores.designs.list(context.caller, project.id, page, filter),
  )
  const latest = await context.deps.stores.validations.listLatest(
    context.caller,
    rows.map(({ id }) => id),
  )
  const latestOf = new Map(latest.map((validation) => [validation.virtualUserId, validation]))
  return {
    project_id: project.id,
    virtual_users: rows.map((row) => ({
      ...virtualUserOnWire(row),
      last_validation: lastOnWire(latestOf.get(row.id)),
    })),
    next_cursor: nextCursor,
  }
})

function lastOnWire(validation: Validation | undefined) {
  if (validation === undefined) return null
  const { id, state, createdAt } = validation
  return { id, state, created_at: createdAt.toISOString() }
}
