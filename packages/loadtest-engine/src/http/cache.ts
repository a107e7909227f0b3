import CachePolicy from 'http-cache-semantics'
import type { ExchangeHeader } from '@flamegate/loadtest'
import type { HeaderList } from './request.ts'

const entryBytesMax = 10_000_000
const bytesMax = 50_000_000

export interface CachedAnswer {
  status: number
  statusText: string
  headers: readonly ExchangeHeader[]
  body: Buffer
}

interface Entry {
  policy: CachePolicy
  answer: CachedAnswer
}

export interface CacheRequest {
  method: string
  url: string
  headers: HeaderList
}

/** The cache of one user (RFC 9111): fresh answers are not asked for again, stale ones are asked about. */
export class HttpCache {
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** Whether something is kept that an answer for this address may be made of. */
  has(url: string): boolean {
    return this.#entries.has(url)
  }

  /** An answer that can be used as it is, or the headers that ask whether the one that is kept still holds. */
  lookup(request: CacheRequest): { fresh: CachedAnswer } | { ask: HeaderList } | undefined {
    const entry = this.#entries.get(request.url)
    if (entry === undefined || request.method !== 'GET') return undefined
    const plain = plainRequest(request)
    if (entry.policy.satisfiesWithoutRevalidation(plain))
      return { fresh: { ...entry.answer, headers: aged(entry) } }
    // Whoever asks for a part, or under conditions of their own, is answered by the server.
    if (request.headers.some(([name]) => /^(?:range|if-)/i.test(name))) return undefined
    const asking = entry.policy.revalidationHeaders(plain)
    const ask = ['if-none-match', 'if-modified-since'].flatMap((name): [string, string][] => {
      const value = asking[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
    return ask.length === 0 ? undefined : { ask }
  }

  /** What is kept still holds: the answer, with the headers that were renewed. Undefined where nothing is kept any more. */
  renewed(request: CacheRequest, headers: readonly ExchangeHeader[]): CachedAnswer | undefined {
    const entry = this.#entries.get(request.url)
    if (entry === undefined) return undefined
    const { policy } = entry.policy.revalidatedPolicy(plainRequest(request), {
      status: 304,
      headers: plainHeaders(headers),
    })
    entry.policy = policy
    return { ...entry.answer, headers: aged(entry) }
  }

  keep(request: CacheRequest, answer: CachedAnswer): void {
    const { method, url } = request
    if (method !== 'GET') {
      // RFC 9111, 4.4: what was changed is not what is kept.
      if (method !== 'HEAD' && method !== 'OPTIONS' && method !== 'TRACE' && answer.status < 400)
        this.#remove(url)
      return
    }
    if (answer.status === 304 || answer.body.length > entryBytesMax) return
    const policy = new CachePolicy(
      plainRequest(request),
      { status: answer.status, headers: plainHeaders(answer.headers) },
      { shared: false },
    )
    this.#remove(url)
    if (!policy.storable()) return
    this.#entries.set(url, { policy, answer })
    this.#bytes += answer.body.length
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= bytesMax) break
      this.#remove(oldest)
    }
  }

  clear(): void {
    // Each time it is cleared, a map gets new memory.
    if (this.#entries.size > 0) this.#entries.clear()
    this.#bytes = 0
  }

  #remove(url: string): void {
    this.#bytes -= this.#entries.get(url)?.answer.body.length ?? 0
    this.#entries.delete(url)
  }
}

/** As they came, with the age that they have now. */
function aged({ policy, answer }: Entry): ExchangeHeader[] {
  const age = { name: 'age', value: String(Math.round(policy.age())) }
  return [...answer.headers.filter(({ name }) => name.toLowerCase() !== 'age'), age]
}

function plainRequest({ method, url, headers }: CacheRequest) {
  return { method, url, headers: plainHeaders(headers.map(([name, value]) => ({ name, value }))) }
}

function plainHeaders(headers: readonly ExchangeHeader[]): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const { name, value } of headers) {
    const key = name.toLowerCase()
    plain[key] = plain[key] === undefined ? value : `${plain[key]}, ${value}`
  }
  return plain
}
