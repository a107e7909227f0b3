import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'

export const revokeConnectedApp = implement(operations.revokeConnectedApp)(async (
  input,
  { caller, deps },
) => {
  if (!(await deps.stores.connectedApps.revoke(caller, input.connected_app_id))) {
    throw new Problem('connected_app_not_found', 'You have connected no such app.', {
      hint: [operations.listConnectedApps, 'shows yours'],
    })
  }
  return { connected_app_id: input.connected_app_id, revoked: true as const }
})
