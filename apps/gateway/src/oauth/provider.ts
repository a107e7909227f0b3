import {
  accessTokenAlgorithm,
  createAccessTokenClaims,
  loadCookieKeys,
  loadSigningKeys,
} from '@flamegate/auth'
import type { IdentityStore } from '@flamegate/operations/ports'
import { errors, interactionPolicy, Provider } from 'oidc-provider'
import type { Configuration } from 'oidc-provider'
import type { WebSessions } from '../session/web-session.ts'
import { cliClient } from './cli-client.ts'
import { documentAdmission } from './client-admission.ts'
import type { ClientPolicy } from './client-admission.ts'
import { clientDocumentFetch } from './client-documents.ts'
import type { FetchDocument } from './client-documents.ts'
import { checkClientMetadata } from './client-rules.ts'
import { compareSecretsByHash, hideStoredSecrets } from './client-secrets.ts'
import { letFormsGoToClients } from './form-post.ts'
import { grantableScope } from './machine-clients.ts'
import { rotateToOneSuccessor } from './refresh-rotation.ts'
import { refuseBlockedClients, registrationPolicy } from './registered-clients.ts'
import { renderError } from './render-error.ts'
import type { Resources } from './resources.ts'
import { createStorage } from './storage.ts'
import { tokenClaims } from './token-claims.ts'
import { tokenPolicy } from './token-policy.ts'

export interface ProviderOptions {
  identity: IdentityStore
  issuer: string
  resources: Resources
  sessions: WebSessions
  fetchDocument: FetchDocument
  clients: ClientPolicy
  accessTokenLifetimeSeconds: number
}

export const oauthPaths = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  device_authorization: '/oauth/device',
  registration: '/oauth/reg',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
  interaction: '/oauth/interaction',
} as const

const maxAssertionLifetimeSeconds = 86_400

/** The authorization server: oidc-provider with our storage, keys, sessions and policies. */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { identity, issuer, resources, sessions, fetchDocument, clients, accessTokenLifetimeSeconds } =
    options
  const { interaction, ...routes } = oauthPaths
  const claims = await createAccessTokenClaims({ identity, issuer })
  const admission = documentAdmission(clients, identity.accounts.attempts)
  // Browsers take such a cookie over TLS only. It is for some paths, which `__Host-` does not allow.
  const cookiePrefix = issuer.startsWith('https:') ? '__Secure-' : ''

  const configuration: Configuration = {
    adapter: createStorage(identity, claims),
    clients: [cliClient],
    jwks: { keys: await loadSigningKeys(identity) },
    cookies: {
      keys: await loadCookieKeys(identity),
      names: {
        session: `${cookiePrefix}fg_oauth`,
        interaction: `${cookiePrefix}fg_interaction`,
        resume: `${cookiePrefix}fg_resume`,
      },
      long: { path: '/oauth', httpOnly: true, sameSite: 'lax', signed: true },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    // `/device` is a page of ours; the provider only tells its address.
    routes: { ...routes, end_session: '/oauth/end-session', code_verification: '/device' },

    // Our own scopes are declared by the resources alone: listed here, some clients would ask for all of them.
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub'] },
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: accessTokenAlgorithm,
    },
    // A validator is called for a property, of any client, and this one looks at all of them.
    extraClientMetadata: {
      properties: ['redirect_uris'],
      validator: (_context, _name, _value, metadata) => checkClientMetadata(metadata),
    },
    enabledJWA: {
      idTokenSigningAlgValues: [accessTokenAlgorithm],
      clientAuthSigningAlgValues: ['ES256', 'RS256', 'EdDSA', 'Ed25519'],
    },
    // Each is remembered until it expires, so that none is taken twice (RFC 7523, 3).
    assertJwtClientAuthClaimsAndHeader: async (_context, { exp }) => {
      if (Number(exp) > Date.now() / 1000 + maxAssertionLifetimeSeconds) {
        throw new errors.InvalidClientAuth('the client assertion must expire within a day')
      }
    },
    // A token request proves itself by what is in it and never by a cookie, so any page may make one.
    clientBasedCORS: () => true,

    features: {
      devInteractions: { enabled: false },
      // Our resources read bearer tokens; a token bound to a key would promise more than they check.
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      deviceFlow: { enabled: true },
      clientCredentials: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: (_context, client, token) => token.clientId === client.clientId,
      },
      registration: registrationPolicy,
      registrationManagement: { enabled: true, rotateRegistrationAccessToken: false },
      clientIdMetadataDocument: {
        enabled: clients.hasDocuments,
        ack: 'draft-02',
        ...admission,
        // How long is up to what the fetch answers, which other processes go by too.
        cacheDuration: { min: 1, max: 86_400 },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context, _client, oneOf) => oneOf?.[0] ?? resources.mcp,
        useGrantedResource: () => true,
        async getResourceServerInfo({ oidc }, indicator, client) {
          const audience = resources.canonical(indicator)
          if (!audience) throw new errors.InvalidTarget('There is no such resource here')
          return {
            audience,
            scope: await grantableScope(identity, client.clientId, oidc.params),
            accessTokenFormat: 'jwt',
            accessTokenTTL: accessTokenLifetimeSeconds,
            jwt: { sign: { alg: accessTokenAlgorithm } },
          }
        },
      },
    },
    fetch: clientDocumentFetch({
      fetchDocument,
      documents: identity.clientDocuments,
      validate: (metadata) =>
        provider.Client.validate({ ...metadata, client_id: String(metadata['client_id']) }),
    }),

    ...tokenPolicy(accessTokenLifetimeSeconds),
    extraTokenClaims: tokenClaims(identity),

    async findAccount(_context, id) {
      const user = await identity.findUser(id)
      return user && { accountId: id, claims: () => ({ sub: id }) }
    },
    interactions: {
      url: (_context, { uid }) => `${interaction}/${uid}`,
      policy: policyFor(sessions),
    },
    renderError,
  }

  const provider = new Provider(issuer, configuration)
  compareSecretsByHash(provider)
  hideStoredSecrets(provider)
  letFormsGoToClients(provider)
  refuseBlockedClients(provider, identity.oauthClients)
  rotateToOneSuccessor(provider, identity.oauth)
  // It builds its URLs from the forwarded headers, which `provider-routes.ts` sets to the issuer.
  provider.proxy = true
  return provider
}

/**
 * The usual prompts, and one more reason to log in: the provider keeps a session of its own, which counts only
 * while the same person is logged in to the web pages.
 */
function policyFor(sessions: WebSessions): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  const check = new interactionPolicy.Check(
    'web_session',
    'The person is not logged in any more.',
    'login_required',
    async ({ req, oidc }) => {
      const accountId = oidc.session?.accountId
      if (!accountId) return interactionPolicy.Check.NO_NEED_TO_PROMPT
      const session = await sessions.find(req.headers.cookie)
      return session?.userId === accountId
        ? interactionPolicy.Check.NO_NEED_TO_PROMPT
        : interactionPolicy.Check.REQUEST_PROMPT
    },
  )
  policy.get('login')?.checks.add(check)
  return policy
}
