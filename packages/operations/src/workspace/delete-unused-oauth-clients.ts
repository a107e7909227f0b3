import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { requireInstallationAdmin } from './installation-admin.ts'

const dayMs = 86_400_000

export const deleteUnusedOauthClients = implement(operations.deleteUnusedOauthClients)(async (
  input,
  context,
) => {
  await requireInstallationAdmin(context, 'oauth_client_not_found')
  const { caller, deps } = context
  const since = new Date(Date.now() - input.unused_days * dayMs)
  const clients = await deps.stores.oauthClients.removeUnused(caller, { since, isDryRun: input.dry_run })
  return {
    deleted: clients.map(({ clientId, name }) => ({ client_id: clientId, name })),
    dry_run: input.dry_run,
  }
})
