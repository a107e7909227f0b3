import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { requireInstallationAdmin } from '../workspace/installation-admin.ts'
import { tenantOnWire } from './tenant-on-wire.ts'

export const listTenants = implement(operations.listTenants)(async (input, context) => {
  await requireInstallationAdmin(context, 'workspace_not_found')
  const { caller, deps } = context
  const { search, being_deleted: isBeingDeleted } = input
  const { rows, nextCursor } = await pageOf('tenants', input, { search, isBeingDeleted }, (page) =>
    deps.stores.administration.listTenants(caller, page, { search, isBeingDeleted }),
  )
  return { tenants: rows.map(tenantOnWire), next_cursor: nextCursor }
})
