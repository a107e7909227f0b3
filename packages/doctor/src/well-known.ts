/** Where clients look for a metadata document: behind the well-known name with the path, then without (RFC 9728, 3). */
export function resourceMetadataUrls(resource: string): string[] {
  const { origin, pathname, search } = new URL(resource)
  const base = `${origin}/.well-known/oauth-protected-resource`
  return pathname === '/' ? [base] : [`${base}${pathname}${search}`, base]
}

/** The same of an authorization server (RFC 8414, 3.1 and OpenID Connect Discovery), in the order of the protocol. */
export function authorizationServerUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/+$/, '')
  const names = ['oauth-authorization-server', 'openid-configuration']
  if (path === '') return names.map((name) => `${origin}/.well-known/${name}`)
  return [
    ...names.map((name) => `${origin}/.well-known/${name}${path}`),
    `${origin}${path}/.well-known/openid-configuration`,
  ]
}
