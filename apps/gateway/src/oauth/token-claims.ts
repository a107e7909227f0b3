import { choiceClaims } from '@flamegate/auth'
import type { IdentityStore } from '@flamegate/operations/ports'
import { errors } from 'oidc-provider'
import type { Configuration } from 'oidc-provider'

type ExtraTokenClaims = NonNullable<Configuration['extraTokenClaims']>

/**
 * What our access tokens say besides the usual: the grant and what the person chose with it (`gid`, `wid`, `tsets`,
 * `ro`, and `cv`, which version of it), or the API token that a machine showed (`tid`). Read at every refresh, so that changed choices count then.
 */
export function tokenClaims({ grants }: Pick<IdentityStore, 'grants'>): ExtraTokenClaims {
  return async (context, token) => {
    const { client } = context.oidc
    if (token.kind === 'ClientCredentials') return { tid: client?.clientId, client_name: client?.clientName }
    const { accountId, grantId } = token
    const chosen = await grants.findVersionedChoices(accountId, grantId)
    if (!chosen) throw new errors.InvalidGrant('grant not found')
    return { gid: grantId, client_name: client?.clientName, ...choiceClaims(chosen) }
  }
}
