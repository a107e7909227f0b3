import type { AccessTokenClaims } from '@flamegate/auth'
import type { IdentityStore } from '@flamegate/operations/ports'
import type { Adapter } from 'oidc-provider'
import { withHashedSecrets } from './client-secrets.ts'
import { withHashedDeviceCodes } from './device-code-records.ts'
import { withMachineClients } from './machine-clients.ts'
import { createRecordAdapter } from './record-adapter.ts'
import { refreshTokenRecords } from './refresh-rotation.ts'
import { withNotedClients } from './registered-clients.ts'
import { withSignedTokens } from './signed-token-revocation.ts'

/** oidc-provider's storage in our identity store: plain records, but for the models that have a rule of their own. */
export function createStorage(
  identity: IdentityStore,
  claims: AccessTokenClaims,
): (model: string) => Adapter {
  return (model) => {
    const records = createRecordAdapter(identity.oauth, model)
    switch (model) {
      case 'AccessToken':
        return withSignedTokens(records, claims)
      case 'Client':
        return withMachineClients(
          withNotedClients(withHashedSecrets(records), identity.oauthClients),
          identity,
        )
      case 'DeviceCode':
        return withHashedDeviceCodes(records, identity.oauth)
      case 'RefreshToken':
        return createRecordAdapter(refreshTokenRecords(identity.oauth), model)
      default:
        return records
    }
  }
}
