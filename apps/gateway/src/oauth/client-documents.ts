import type { GuardedRequest, GuardedResponse } from '@flamegate/runtime'
import { normalizeClientMetadataText } from './client-metadata.ts'

/** The guarded outbound fetch of `@flamegate/runtime`, or a stand-in. */
export type FetchDocument = (url: string, options: GuardedRequest) => Promise<GuardedResponse>

/**
 * How the provider fetches client ID metadata documents: over the guarded way out, without redirects, and
 * normalized like a registration, because documents are no more complete than registrations are.
 */
export function clientDocumentFetch(fetchDocument: FetchDocument) {
  return async (input: string | URL | Request): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input)
    const { status, headers, body } = await fetchDocument(url, {
      headers: { accept: 'application/json' },
      maxBytes: 5_120,
      timeoutMs: 2_500,
      maxRedirects: 0,
    })
    const text = Buffer.from(body).toString()
    const caching = Object.entries(headers).filter(([name]) => name === 'cache-control' || name === 'expires')
    // Statuses without a body, such as 304, cannot be passed on with one; all that count is that it is no 200.
    if (status !== 200) return new Response(null, { status: 502 })
    return new Response(normalizeClientMetadataText(text), { status, headers: caching })
  }
}
