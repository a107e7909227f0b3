import { guardedFetch } from '@flamegate/runtime'
import type { CustomFetch } from 'openid-client'

/** Larger answers than a key set or a profile are nothing that we asked for. */
const maxBytes = 200_000
const timeoutMs = 10_000

/**
 * How a service is asked, for `openid-client` and by ourselves: over the guarded way out, without redirects. A service
 * that the settings say is on this very machine is let through, and then without TLS too.
 */
export function issuerFetch(issuer: string): CustomFetch {
  const allowLoopback = isOnThisMachine(issuer)
  return async (url, { method, headers, body }) => {
    const answer = await guardedFetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: body === undefined || body === null ? undefined : await new Response(body).text(),
      maxBytes,
      timeoutMs,
      maxRedirects: 0,
      allowLoopback,
      allowedSchemes: allowLoopback ? ['https', 'http'] : ['https'],
    })
    const hasBody = answer.body.length > 0
    return new Response(hasBody ? Uint8Array.from(answer.body) : null, {
      status: answer.status,
      headers: answer.headers,
    })
  }
}

export function isOnThisMachine(issuer: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(issuer).hostname)
}
