import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { requireInstallationAdmin } from './installation-admin.ts'
import { oauthClientOnWire } from './oauth-client-on-wire.ts'

export const blockOauthClient = implement(operations.blockOauthClient)(async (input, context) => {
  await requireInstallationAdmin(context, 'oauth_client_not_found')
  const { caller, deps } = context
  const block = input.blocked ? { reason: input.reason } : null
  const changed = await deps.stores.oauthClients.setBlock(caller, input.client_id, block)
  if (changed === undefined) {
    throw new Problem('oauth_client_not_found', 'There is no such OAuth client.', {
      hint: [operations.listOauthClients, 'shows the ones there are'],
    })
  }
  return { oauth_client: oauthClientOnWire(changed.client), revoked_grants: changed.revokedGrants }
})
