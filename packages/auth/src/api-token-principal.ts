import type { Principal } from '@flamegate/contract'
import type { ApiTokenProof } from '@flamegate/operations/ports'

/** An API token acts as the member who made it, in its workspace only. */
export function apiTokenPrincipal({ id, name, userId, workspaceId, scopes }: ApiTokenProof): Principal {
  return { userId, via: 'api_token', clientId: id, clientName: name, scopes, workspaceIds: [workspaceId] }
}
