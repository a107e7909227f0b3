import { createHash, randomBytes } from 'node:crypto'

export interface DigestChallenge {
  realm: string
  nonce: string
  opaque: string | undefined
  algorithm: 'MD5' | 'SHA-256'
  isSession: boolean
  /** Whether the server wants a count of requests; without it, it speaks RFC 2069. */
  hasQop: boolean
  isStale: boolean
}

const parameter = /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g

/** The best challenge of `WWW-Authenticate` headers that can be answered (RFC 7616, 3.3); undefined where there is none. */
export function readDigestChallenge(headers: readonly string[]): DigestChallenge | undefined {
  const challenges = headers
    .flatMap((header) => header.split(/(?=\bDigest\s)/i))
    .filter((part) => /^Digest\s/i.test(part))
    .flatMap((part): DigestChallenge[] => {
      const values = new Map<string, string>()
      for (const [, name = '', inQuotes, plain] of part.matchAll(parameter))
        values.set(name.toLowerCase(), inQuotes?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '')
      const [, hash, session] = /^(MD5|SHA-256)(-sess)?$/i.exec(values.get('algorithm') ?? 'MD5') ?? []
      const qop = values
        .get('qop')
        ?.toLowerCase()
        .split(/\s*,\s*/)
      const nonce = values.get('nonce')
      if (hash === undefined || nonce === undefined || (qop !== undefined && !qop.includes('auth'))) return []
      return [
        {
          realm: values.get('realm') ?? '',
          nonce,
          opaque: values.get('opaque'),
          algorithm: hash.toUpperCase() === 'MD5' ? 'MD5' : 'SHA-256',
          isSession: session !== undefined,
          hasQop: qop !== undefined,
          isStale: values.get('stale')?.toLowerCase() === 'true',
        },
      ]
    })
  return challenges.find(({ algorithm }) => algorithm === 'SHA-256') ?? challenges[0]
}

/** The value of `Authorization`. `count` is how often the nonce was used, this time included. */
export function digestAuthorization(
  challenge: DigestChallenge,
  credentials: { userName: string; password: string },
  request: { method: string; uri: string },
  count: number,
  clientNonce = randomBytes(16).toString('hex'),
): string {
  const { realm, nonce, opaque, algorithm, isSession, hasQop } = challenge
  const hash = (text: string) =>
    createHash(algorithm === 'MD5' ? 'md5' : 'sha256')
      .update(text)
      .digest('hex')
  const secret = hash(`${credentials.userName}:${realm}:${credentials.password}`)
  const key = isSession ? hash(`${secret}:${nonce}:${clientNonce}`) : secret
  const what = hash(`${request.method}:${request.uri}`)
  const nonceCount = count.toString(16).padStart(8, '0')
  const response = hasQop
    ? hash(`${key}:${nonce}:${nonceCount}:${clientNonce}:auth:${what}`)
    : hash(`${key}:${nonce}:${what}`)
  return [
    `Digest username=${quoted(credentials.userName)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(request.uri)}`,
    `algorithm=${algorithm}${isSession ? '-sess' : ''}`,
    `response="${response}"`,
    ...(hasQop ? ['qop=auth', `nc=${nonceCount}`, `cnonce="${clientNonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ].join(', ')
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
