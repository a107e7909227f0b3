import type { ClientMetadata } from 'oidc-provider'

/** The command line of this platform: everybody's, so it has no secret, and nothing to register. */
export const cliClient: ClientMetadata = {
  client_id: 'flamegate-cli',
  client_name: 'Flamegate command line',
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  response_types: [],
  redirect_uris: [],
}
