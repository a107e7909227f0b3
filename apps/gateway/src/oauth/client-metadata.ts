import { firstOf } from '@flamegate/surfaces'

/** Metadata of a client (RFC 7591, 2), as it came. */
export type ClientMetadata = Record<string, unknown>

const grantTypes = ['authorization_code', 'refresh_token']
const authMethods = new Set<unknown>(['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'])
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])
const keyMetadata = ['jwks', 'jwks_uri', 'token_endpoint_auth_signing_alg']
const informativeUrls = ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri']

/** What we have no use for; a wrong value would only get in the way. Scopes are asked for, not registered. */
const ignored = new Set([
  'scope',
  'contacts',
  'default_acr_values',
  'default_max_age',
  'require_auth_time',
  'id_token_signed_response_alg',
  'software_statement',
  // Who somebody is to one client, they are to all.
  'subject_type',
  'sector_identifier_uri',
])

/** `jwks` has lists in objects in a list in an object; what is nested deeper would only exhaust whoever goes through it. */
const deepest = 8

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part))
}

/**
 * Client metadata as clients really send it, made into what can be registered. An authorization server may replace
 * what it does not support (RFC 7591, 3.2.1), and the client reads in the answer what became of it. What is left
 * wrong, such as a redirect URI with a fragment, is refused by the provider.
 */
export function normalizeClientMetadata(metadata: ClientMetadata): ClientMetadata {
  const known = Object.entries(metadata).filter(
    ([name, value]) => !ignored.has(name) && value !== null && value !== '' && !isDeeperThan(deepest, value),
  )
  const normalized = Object.fromEntries(known)

  for (const name of informativeUrls) {
    if (name in normalized && !isHttps(normalized[name])) delete normalized[name]
  }
  if (typeof normalized['client_name'] === 'string') {
    normalized['client_name'] = firstOf(normalized['client_name'], 100)
  }
  keepSupported(normalized, 'grant_types', grantTypes)
  keepSupported(normalized, 'response_types', ['code'])
  const { token_endpoint_auth_method: authMethod = 'none' } = normalized
  const hasKeys = 'jwks' in normalized || 'jwks_uri' in normalized
  if (!authMethods.has(authMethod) || (authMethod === 'private_key_jwt' && !hasKeys)) {
    normalized['token_endpoint_auth_method'] = 'none'
  }
  if (normalized['token_endpoint_auth_method'] !== 'private_key_jwt') {
    for (const name of keyMetadata) delete normalized[name]
  }
  // Only a native client may come back to any port (RFC 8252, 7.3), and most do not say that they are one. The
  // provider lets none of them come back by plain http to another machine, where the code could be read on its way.
  if (hasRedirectBesidesHttps(normalized['redirect_uris'])) normalized['application_type'] = 'native'
  return normalized
}

/** The same for JSON text. What is no JSON object is left as it is, for the provider to refuse. */
export function normalizeClientMetadataText(text: string): string {
  const metadata = parseClientMetadata(text)
  return metadata ? JSON.stringify(normalizeClientMetadata(metadata)) : text
}

/** The JSON object that a text is; undefined when it is something else. */
export function parseClientMetadata(text: string): ClientMetadata | undefined {
  try {
    const metadata: unknown = JSON.parse(text)
    if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return undefined
    return { ...metadata }
  } catch {
    return undefined
  }
}

/** Leaves what is supported; when nothing is left, the provider's default applies. */
function keepSupported(metadata: ClientMetadata, name: string, supported: readonly string[]): void {
  const values = metadata[name]
  if (values === undefined) return
  const kept = Array.isArray(values) ? supported.filter((value) => values.includes(value)) : []
  if (kept.length > 0) metadata[name] = kept
  else delete metadata[name]
}

function isHttps(value: unknown): boolean {
  return typeof value === 'string' && URL.parse(value)?.protocol === 'https:'
}

function hasRedirectBesidesHttps(redirectUris: unknown): boolean {
  return Array.isArray(redirectUris) && !redirectUris.every(isHttps)
}

/** A loopback redirect URI with any port, as it is compared (RFC 8252, 7.3); other text as it is. */
export function withoutLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+(?=[/?#]|$)/, '$1')
}

/** Where the answer goes, for a person who decides: a host, or an app's own scheme. */
export function describeRedirect(uri: string): { host: string; isLoopback: boolean } {
  const url = URL.parse(uri)
  if (!url) return { host: uri, isLoopback: false }
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return {
    host: isWeb ? url.host : `${url.protocol}//${url.host}`,
    isLoopback: loopbackHosts.has(url.hostname),
  }
}
