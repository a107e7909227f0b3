import { maxAccessTokenLifetimeSeconds } from '@flamegate/auth'
import type { Configuration } from 'oidc-provider'

const daySeconds = 86_400

/** How long tokens live and when a client gets another one. */
export function tokenPolicy(
  accessTokenLifetimeSeconds: number,
): Required<Pick<Configuration, 'ttl' | 'issueRefreshToken' | 'rotateRefreshToken' | 'expiresWithSession'>> {
  if (accessTokenLifetimeSeconds < 1 || accessTokenLifetimeSeconds > maxAccessTokenLifetimeSeconds) {
    throw new RangeError(`An access token lives 1 to ${maxAccessTokenLifetimeSeconds} seconds`)
  }
  return {
    ttl: {
      AccessToken: accessTokenLifetimeSeconds,
      AuthorizationCode: 60,
      ClientCredentials: accessTokenLifetimeSeconds,
      DeviceCode: 600,
      IdToken: 3_600,
      Interaction: 3_600,
      Session: 30 * daySeconds,
      // Sliding: every use gives a new one with its whole life ahead, until the grant ends.
      RefreshToken: 60 * daySeconds,
      Grant: 365 * daySeconds,
    },
    // Whether a client asks for `offline_access` says little: some do without the prompt that it needs, and would
    // have to log in again every few minutes.
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // An agent works on when its person logs out of the web pages; it is ended in the list of connected apps.
    expiresWithSession: async () => false,
  }
}
