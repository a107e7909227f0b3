import type { Principal } from '@flamegate/contract'
import type { ApiTokenProof } from '@flamegate/operations/ports'

/** An API token acts as the member who made it, in its workspace only, or in its project, or for its live app. */
export function apiTokenPrincipal(token: ApiTokenProof): Principal {
  const { id, name, userId, workspaceId, projectId, liveAppId, scopes } = token
  return {
    userId,
    via: 'api_token',
    clientId: id,
    clientName: name,
    scopes,
    workspaceIds: [workspaceId],
    ...(projectId ? { projectId } : {}),
    ...(liveAppId ? { liveAppId } : {}),
  }
}
