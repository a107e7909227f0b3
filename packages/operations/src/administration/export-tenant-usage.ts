import { operations } from '@flamegate/contract'
import { csvLine } from '../csv.ts'
import { implement } from '../implement.ts'
import { requireInstallationAdmin } from '../workspace/installation-admin.ts'
import { tenantUsageOnWire, usageMonth } from './tenant-usage-on-wire.ts'

const columns = [
  'workspace_id',
  'name',
  'slug',
  'plan',
  'calls',
  'uploads',
  'upload_bytes',
  'agent_seconds',
  'storage_bytes',
] as const

export const exportTenantUsage = implement(operations.exportTenantUsage)(async (input, context) => {
  await requireInstallationAdmin(context, 'workspace_not_found')
  const { caller, deps, calledAt } = context
  const month = usageMonth(input.month, calledAt)
  const found = await deps.stores.administration.listUsage(caller, month)
  const lines = found.map(tenantUsageOnWire).map((each) => [month, ...columns.map((name) => each[name])])
  return {
    month,
    workspace_count: found.length,
    csv: [['month', ...columns], ...lines].map(csvLine).join(''),
  }
})
