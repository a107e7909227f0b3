import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { afterGrace, mustBeInTime, mustBeName } from '../workspace/deletion.ts'
import { getTenant, tenantOnWire } from './tenant-on-wire.ts'

export const deleteTenant = implement(operations.deleteTenant)(async (input, context) => {
  const tenant = await getTenant(context, input.workspace_id)
  const { deps, caller, calledAt } = context
  mustBeInTime(tenant, calledAt)
  if (input.deleted) mustBeName(input.confirm, tenant.name)
  const deletesAt = input.deleted ? (tenant.deletesAt ?? afterGrace(calledAt)) : null
  await deps.stores.workspaces.setDeletion(caller, tenant.id, deletesAt)
  return { tenant: tenantOnWire({ ...tenant, deletesAt }) }
})
