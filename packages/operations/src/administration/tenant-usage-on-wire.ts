import type { operations, OutputOf } from '@flamegate/contract'
import type { TenantUsage } from '../ports/index.ts'

type UsageOnWire = OutputOf<typeof operations.listTenantUsage>['usage'][number]

/** The month of UTC that is asked for; this one when none is. */
export function usageMonth(month: string | undefined, now: Date): string {
  return month ?? now.toISOString().slice(0, 7)
}

export function tenantUsageOnWire(usage: TenantUsage): UsageOnWire {
  return {
    workspace_id: usage.id,
    name: usage.name,
    slug: usage.slug,
    plan: usage.plan,
    calls: usage.calls,
    uploads: usage.uploads,
    upload_bytes: usage.uploadBytes,
    agent_seconds: usage.agentSeconds,
    storage_bytes: usage.storageBytes,
  }
}
