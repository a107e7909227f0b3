/** By which names this site is reached. */
export interface SiteNames {
  publicOrigin: string
  /** Whether a request with that `Host` may be answered. A port that is not ours may be that of a proxy before us. */
  isOurs(host: string): boolean
  /** Whether that is the origin of the public URL, or the same under another of our names. */
  isOrigin(origin: string): boolean
  /** The origin that somebody typed whose request has that `Host`; that of the public URL for what is none of ours. */
  originOf(host: string): string
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** @param allowedHosts host names besides that of the public URL; what loopback is called comes of itself. */
export function siteNames(publicUrl: string, allowedHosts: readonly string[] = []): SiteNames {
  const site = new URL(publicUrl)
  const names = new Set([site.hostname, ...allowedHosts])
  if (loopbackNames.includes(site.hostname)) for (const name of loopbackNames) names.add(name)
  const port = site.port === '' ? '' : `:${site.port}`
  const origins = new Set([...names].map((name) => `${site.protocol}//${name}${port}`))
  return {
    publicOrigin: site.origin,
    isOurs(host) {
      if (host === site.host) return true
      const url = URL.parse(`http://${host}`)
      // With somebody before an @ it is no host, and nothing that a request can be made for.
      return url !== null && url.username === '' && url.password === '' && names.has(url.hostname)
    },
    isOrigin: (origin) => origins.has(origin),
    originOf(host) {
      const typed = `${site.protocol}//${host}`
      return origins.has(typed) ? typed : site.origin
    },
  }
}
