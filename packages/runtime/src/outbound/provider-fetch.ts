import { hostnameOfTarget, readTargetHost } from '@flamegate/contract/target-host'
import { allowedTargets } from './allowed-targets.ts'
import { guardedFetch, type GuardedRequest } from './guarded-fetch.ts'

/** Larger answers than a key set or a profile are nothing that we asked for. */
const maxBytes = 200_000
const timeoutMs = 10_000

/** As `openid-client` asks. */
interface ProviderRequest {
  method: string
  headers: Record<string, string>
  body?: unknown
}

export type ProviderFetch = (url: string, request: ProviderRequest) => Promise<Response>

/** How an OpenID provider is asked: over the guarded way out, without redirects. */
export function providerFetch(
  rules: Pick<GuardedRequest, 'allowLoopback' | 'allows' | 'allowedSchemes'>,
): ProviderFetch {
  return async (url, { method, headers, body }) => {
    const answer = await guardedFetch(url, {
      ...rules,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: isBody(body) ? await new Response(body).text() : undefined,
      maxBytes,
      timeoutMs,
      maxRedirects: 0,
    })
    const hasBody = answer.body.length > 0
    return new Response(hasBody ? Uint8Array.from(answer.body) : null, {
      status: answer.status,
      headers: answer.headers,
    })
  }
}

function isBody(body: unknown): body is string | URLSearchParams | Uint8Array<ArrayBuffer> | ReadableStream {
  return body !== undefined && body !== null
}

/** How providers are asked whose addresses users gave: like targets of load, within what the installation allows. */
export interface TenantProviders {
  /** By https, or where the installation allows the host. */
  mayAsk(url: string): boolean
  allowsHttp(url: string): boolean
  fetch: ProviderFetch
}

/** @param entries The setting `FLAMEGATE_TARGETS_ALLOWED`. */
export function tenantProviders(entries: readonly string[]): TenantProviders {
  const allowed = allowedTargets(entries)
  const isAllowedHost = (url: string) => {
    const host = readTargetHost(URL.parse(url)?.host ?? '')
    return host !== undefined && allowed.hasHost(hostnameOfTarget(host))
  }
  const outside = providerFetch({ allows: allowed.hasAddress })
  const inside = providerFetch({ allows: () => true, allowedSchemes: ['https', 'http'] })
  return {
    mayAsk: (url) => URL.parse(url)?.protocol === 'https:' || isAllowedHost(url),
    allowsHttp: isAllowedHost,
    // Each address for itself: what a provider names besides its own is no more trusted than that.
    fetch: (url, request) => (isAllowedHost(url) ? inside : outside)(url, request),
  }
}
