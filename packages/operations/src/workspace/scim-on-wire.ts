import type { operations, OutputOf } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import { isoOrNull } from '../wire.ts'

/** How provisioning of a workspace stands. */
export async function scimOnWire(
  { caller, deps }: CallContext,
  workspaceId: string,
): Promise<OutputOf<typeof operations.getScim>> {
  const token = await deps.stores.scim.findToken(caller, workspaceId)
  return {
    workspace_id: workspaceId,
    base_url: `${deps.publicUrl}/scim/v2`,
    token:
      token === undefined
        ? null
        : {
            prefix: token.prefix,
            default_role: token.defaultRole,
            created_at: token.createdAt.toISOString(),
            last_used_at: isoOrNull(token.lastUsedAt),
          },
  }
}
