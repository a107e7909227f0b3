import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { isoOrNull } from '../wire.ts'

export const listConnectedApps = implement(operations.listConnectedApps)(async (_input, { caller, deps }) => {
  const apps = await deps.stores.connectedApps.list(caller)
  return {
    connected_apps: apps.map((app) => ({
      id: app.id,
      client_id: app.clientId,
      client_name: app.clientName,
      verified_domain: app.verifiedDomain,
      scopes: app.scopes,
      workspace_ids: app.choices.workspaceIds?.slice() ?? null,
      toolsets: app.choices.toolsets?.slice() ?? null,
      read_only: app.choices.isReadOnly ?? false,
      connected_at: app.createdAt.toISOString(),
      last_used_at: isoOrNull(app.lastUsedAt),
      call_count: app.callCount,
    })),
  }
})
