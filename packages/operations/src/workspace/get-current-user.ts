import { allows, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { isInstallationAdmin } from './installation-admin.ts'
import { workspaceOnWire } from './workspace-on-wire.ts'

export const getCurrentUser = implement(operations.getCurrentUser)(async (
  _input,
  { caller, principal, deps },
) => {
  const user = await deps.stores.users.findUser(principal.userId)
  if (user === undefined) throw new Problem('unauthenticated', 'The account behind this credential is gone.')
  const workspaces = await deps.stores.workspaces.list(caller)
  return {
    user,
    credential: principal.via,
    client_id: principal.clientId,
    client_name: principal.clientName,
    scopes: [...principal.scopes],
    read_only:
      principal.isReadOnly === true || !allows(principal.scopes, ['write', 'run', 'upload', 'admin']),
    installation_admin: await isInstallationAdmin(user, principal, deps),
    server_name: deps.serverName,
    workspaces: workspaces.map(workspaceOnWire),
  }
})
