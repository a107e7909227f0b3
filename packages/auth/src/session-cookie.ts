/**
 * The name of the session cookie. `__Host-` makes browsers refuse it from a subdomain, without TLS or for a path
 * (RFC 6265bis, 4.1.3.2), so it is only possible where the site is https.
 */
export function sessionCookieName(siteUrl: string): string {
  return siteUrl.startsWith('https:') ? '__Host-fg_session' : 'fg_session'
}

/** The value of one cookie in a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key = '', ...value] = pair.split('=')
    if (key.trim() === name) return value.join('=').trim()
  }
  return undefined
}
