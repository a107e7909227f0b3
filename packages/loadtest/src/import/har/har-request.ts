import type { Draft } from './draft.ts'
import { findRedirects } from './redirect-chains.ts'
import type { EntryKind } from './resource-kind.ts'

/** A request as a virtual user makes it: with the redirects that it follows by itself. */
export interface HarRequest {
  first: Draft
  hops: readonly Draft[]
  /** Whether its answer leads somewhere, and it goes there. */
  follows: boolean
  /** As its last answer says. */
  kind: EntryKind
  startMs: number
  endMs: number
}

/**
 * Whether its answer is a stream of events, which goes on until its page is left: nobody waits for its end. What comes to anything but a
 * GET ends by itself, as the answers of language models do.
 */
export function isEventStream({ first, hops }: HarRequest): boolean {
  const { method, mimeType } = hops.at(-1) ?? first
  if (first.resourceType === 'eventsource') return true
  return method === 'GET' && /^\s*text\/event-stream/i.test(mimeType ?? '')
}

/** The requests that entries became, with an entry that was the redirect of another one in that. */
export function requestsOf(drafts: readonly Draft[]): HarRequest[] {
  const chains = findRedirects(drafts, (from, to) => from.isVerified === to.isVerified)
  const isHop = new Set([...chains.values()].flat())
  return drafts
    .filter((draft) => !isHop.has(draft))
    .map((first) => {
      const hops = chains.get(first) ?? []
      const last = hops.at(-1) ?? first
      return {
        first,
        hops,
        // Where the recording shows that nobody followed, the answer itself is what was wanted.
        follows: hops.length > 0 || first.redirectUrl === null,
        kind: first.kind === 'static' ? first.kind : last.kind,
        startMs: first.startMs,
        endMs: Math.max(first.endMs, last.endMs),
      }
    })
}
