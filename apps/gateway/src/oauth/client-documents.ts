import type { ClientDocumentStore } from '@flamegate/operations/ports'
import type { GuardedRequest, GuardedResponse } from '@flamegate/runtime'
import { normalizeClientMetadata, parseClientMetadata } from './client-metadata.ts'
import type { ClientMetadata } from './client-metadata.ts'

/** The guarded outbound fetch of `@flamegate/runtime`, or a stand-in. */
export type FetchDocument = (url: string, options: GuardedRequest) => Promise<GuardedResponse>

export interface ClientDocumentOptions {
  fetchDocument: FetchDocument
  documents: ClientDocumentStore
  /** Rejects when the metadata is no client's. */
  validate: (metadata: ClientMetadata) => Promise<void>
}

/** What a client publishes at an address, as the provider shall see it. */
interface Publication {
  text: string
  /** When it is a metadata document and no key set. */
  metadata?: ClientMetadata
  keeping: Keeping
}

/** How long it is used without asking, and how long it is used when asking fails. */
interface Keeping {
  minFreshMs: number
  maxFreshMs: number
  lastGoodMs: number
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const keepingDocuments: Keeping = { minFreshMs: 5 * minuteMs, maxFreshMs: dayMs, lastGoodMs: 30 * dayMs }
/** A key that a client took back must not count for long. */
const keepingKeySets: Keeping = { minFreshMs: minuteMs, maxFreshMs: minuteMs, lastGoodMs: dayMs }

/** What the provider reads of a document. */
const maxDocumentBytes = 5_120
const maxFetchedBytes = 20_480

/**
 * How the provider fetches what clients publish, metadata documents and key sets: over the guarded way out, without
 * redirects, and through storage, where the last good copy is. Their addresses are down at times, or answer with a
 * page, and nobody shall be logged out by that.
 */
export function clientDocumentFetch(options: ClientDocumentOptions) {
  const { fetchDocument, documents, validate } = options

  return async (input: string | URL | Request): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input)
    const kept = await documents.find(url)
    const lastGood = kept && readPublication(url, kept.body)
    if (kept && lastGood && kept.freshUntil.getTime() > Date.now()) {
      return answer(lastGood, kept.freshUntil.getTime() - Date.now())
    }
    const fetched = await fetchBody(url).catch((error: unknown) => ({ error }))
    const publication = 'body' in fetched ? readPublication(url, fetched.body) : undefined
    if ('body' in fetched && publication && (await isGood(publication))) {
      const freshMs = freshFor(fetched.headers, publication.keeping, Date.now())
      await documents.keep(url, { body: fetched.body, freshUntil: new Date(Date.now() + freshMs) })
      return answer(publication, freshMs)
    }
    if (kept && lastGood && Date.now() - kept.fetchedAt.getTime() < lastGood.keeping.lastGoodMs) {
      return answer(lastGood, lastGood.keeping.minFreshMs)
    }
    if ('error' in fetched) throw fetched.error
    // What is wrong with it, the provider says.
    return new Response(publication?.text ?? fetched.body)
  }

  async function fetchBody(url: string): Promise<{ body: string; headers: GuardedResponse['headers'] }> {
    const { status, headers, body } = await fetchDocument(url, {
      headers: { accept: 'application/json' },
      maxBytes: maxFetchedBytes,
      timeoutMs: 2_500,
      maxRedirects: 0,
    })
    if (status !== 200) throw new Error(`${url} answered with status ${status}`)
    return { body: Buffer.from(body).toString(), headers }
  }

  async function isGood({ metadata, text }: Publication): Promise<boolean> {
    if (!metadata) return true
    if (Buffer.byteLength(text) > maxDocumentBytes || 'client_secret' in metadata) return false
    return validate(metadata).then(
      () => true,
      () => false,
    )
  }
}

/**
 * Metadata is normalized like a registration, because documents are no more complete than registrations are.
 * Undefined for what is neither a document for that address nor a key set.
 */
function readPublication(url: string, body: string): Publication | undefined {
  const parsed = parseClientMetadata(body)
  if (parsed?.['client_id'] === url) {
    // Its default would be a shared secret, which no document can have.
    const metadata = normalizeClientMetadata({ token_endpoint_auth_method: 'none', ...parsed })
    return { text: JSON.stringify(metadata), metadata, keeping: keepingDocuments }
  }
  return Array.isArray(parsed?.['keys']) ? { text: body, keeping: keepingKeySets } : undefined
}

function answer({ text }: Publication, freshMs: number): Response {
  return new Response(text, { headers: { 'cache-control': `max-age=${Math.floor(freshMs / 1000)}` } })
}

/** By the answer's caching headers (RFC 9111, 4.2.1), within bounds. */
function freshFor(
  headers: GuardedResponse['headers'],
  { minFreshMs, maxFreshMs }: Keeping,
  nowMs: number,
): number {
  const maxAge = /(?:^|,)\s*max-age\s*=\s*"?(\d+)/i.exec(headers['cache-control'] ?? '')?.[1]
  const wantedMs = maxAge === undefined ? Date.parse(headers['expires'] ?? '') - nowMs : Number(maxAge) * 1000
  return Number.isNaN(wantedMs) ? minFreshMs : Math.min(maxFreshMs, Math.max(minFreshMs, wantedMs))
}
