import { operations } from '@flamegate/contract'
import { pageAfter } from '../cursor.ts'
import { implement } from '../implement.ts'
import type { TenantUsage, UsageColumn } from '../ports/index.ts'
import { requireInstallationAdmin } from '../workspace/installation-admin.ts'
import { tenantUsageOnWire, usageMonth } from './tenant-usage-on-wire.ts'

const columns = {
  calls: 'calls',
  uploads: 'uploads',
  upload_bytes: 'uploadBytes',
  agent_seconds: 'agentSeconds',
  storage_bytes: 'storageBytes',
} as const satisfies Record<string, UsageColumn>

export const listTenantUsage = implement(operations.listTenantUsage)(async (input, context) => {
  await requireInstallationAdmin(context, 'workspace_not_found')
  const { caller, deps, calledAt } = context
  const month = usageMonth(input.month, calledAt)
  const sortBy = columns[input.sort]
  const { rows, nextCursor } = await pageAfter<TenantUsage, { value: number; id: string }>(
    'tenant_usage',
    input,
    { month, sortBy },
    {
      fetch: (limit, after) => deps.stores.administration.listUsage(caller, month, { sortBy, limit, after }),
      sortKeyOf: (row) => String(row[sortBy]),
      readSortKey: (key, id) => (/^\d{1,18}$/.test(key) ? { value: Number(key), id } : undefined),
    },
  )
  return { month, usage: rows.map(tenantUsageOnWire), next_cursor: nextCursor }
})
