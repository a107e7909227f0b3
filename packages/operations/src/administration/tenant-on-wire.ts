import { Problem, type operations, type OutputOf } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { Tenant } from '../ports/index.ts'
import { requireInstallationAdmin } from '../workspace/installation-admin.ts'
import { isoOrNull } from '../wire.ts'

type TenantOnWire = OutputOf<typeof operations.deleteTenant>['tenant']

/**
 * A workspace, for an administrator of the installation.
 * @throws Problem `workspace_not_found`
 */
export async function getTenant(context: CallContext, workspaceId: string): Promise<Tenant> {
  await requireInstallationAdmin(context, 'workspace_not_found')
  // In the log of the installation, and not in that of the workspace, where administrators are nobody.
  context.concerns(null, workspaceId)
  const tenant = await context.deps.stores.administration.findTenant(context.caller, workspaceId)
  if (tenant === undefined) throw new Problem('workspace_not_found', 'There is no such workspace.')
  return tenant
}

export function tenantOnWire(tenant: Tenant): TenantOnWire {
  return {
    id: tenant.id,
    slug: tenant.slug,
    name: tenant.name,
    plan: tenant.plan,
    created_at: tenant.createdAt.toISOString(),
    deletes_at: isoOrNull(tenant.deletesAt),
    member_count: tenant.memberCount,
    project_count: tenant.projectCount,
    storage_bytes: tenant.storageBytes,
  }
}
