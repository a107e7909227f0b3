import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { requireInstallationAdmin } from './installation-admin.ts'
import { oauthClientOnWire } from './oauth-client-on-wire.ts'

export const listOauthClients = implement(operations.listOauthClients)(async (input, context) => {
  await requireInstallationAdmin(context, 'oauth_client_not_found')
  const { caller, deps } = context
  const { search, blocked: isBlocked } = input
  const { rows, nextCursor } = await pageOf('oauth_clients', input, { search, isBlocked }, async (page) => {
    const clients = await deps.stores.oauthClients.list(caller, page, { search, isBlocked })
    return clients.map((client) => ({ ...client, id: client.clientId }))
  })
  return { oauth_clients: rows.map(oauthClientOnWire), next_cursor: nextCursor }
})
