/** Ports that a host is meant with when it names none. */
const usualPorts = new Set(['', '80', '443'])

/**
 * A host that virtual users aim at, in the one form in which it is stored and compared: lower case, punycode, no dot at the
 * end, numbers of any notation as the address they mean, and the port only when it is neither 80 nor 443. Undefined when it
 * is no host: `shop.example.com`, `shop.example.com:8443`, `[::1]:3000`, `*.example.com` are.
 * @see https://url.spec.whatwg.org/#host-parsing
 */
export function readTargetHost(text: string): string | undefined {
  const isWildcard = text.startsWith('*.')
  const url = URL.parse(`http://${isWildcard ? text.slice(2) : text}`)
  if (url === null || url.href !== `http://${url.host}/`) return undefined
  const hostname = url.hostname.replace(/\.$/, '')
  if (hostname === '' || hostname.includes('*')) return undefined
  if (!isWildcard) return usualPorts.has(url.port) ? hostname : `${hostname}:${url.port}`
  return usualPorts.has(url.port) && !isAddress(hostname) ? `*.${hostname}` : undefined
}

/** The same of a host and a port that are known apart; an address of version 6 with or without its brackets. */
export function targetHostOf(host: string, port: number): string | undefined {
  return readTargetHost(`${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`)
}

/** Host without port, as URL.hostname has it. */
export function hostnameOfTarget(host: string): string {
  return host.replace(/:\d+$/, '')
}

/** Whether the list has the host, or a wildcard above it: `*.example.com` is what is under example.com, at the usual ports. */
export function coversTarget(verified: ReadonlySet<string>, host: string): boolean {
  if (verified.has(host)) return true
  const labels = host.split('.')
  return labels.some((_label, index) => index > 0 && verified.has(`*.${labels.slice(index).join('.')}`))
}

/** Where the token that proves a host is looked for; one of them is enough. */
export function proofPlaces(host: string): { fileUrls: string[]; dnsName: string | null } {
  // A file tells of the one host that has it.
  if (host.startsWith('*.')) return { fileUrls: [], dnsName: `_flamegate.${host.slice(2)}` }
  const hostname = hostnameOfTarget(host)
  return {
    fileUrls: ['https', 'http'].map((scheme) => `${scheme}://${host}/.well-known/flamegate-verification.txt`),
    dnsName: isAddress(hostname) ? null : `_flamegate.${hostname}`,
  }
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
}
