import type { HarEntry } from './har-entry.ts'

/** So far ahead a redirect is looked for: others may be under way at the same time. */
const entriesAhead = 100

/** So long after the answer a browser follows it, in milliseconds, at most; what comes later is another visit. */
const followedWithinMs = 5000

/** As many as a request follows at most. */
const hopsMax = 50

/**
 * What redirects led to in the recording, by the entry that began it: those that a request which follows them makes by itself.
 * An entry whose answer leads somewhere that is not in the recording has an empty list.
 * @param entries in the order of their times
 * @param mayFollow whether a request for one may go on to the other by itself
 */
export function findRedirects<Entry extends HarEntry>(
  entries: readonly Entry[],
  mayFollow: (from: Entry, to: Entry) => boolean,
): Map<Entry, Entry[]> {
  const isTaken = new Set<Entry>()
  const chains = new Map<Entry, Entry[]>()
  for (const [at, first] of entries.entries()) {
    if (first.redirectUrl === null || isTaken.has(first)) continue
    const hops: Entry[] = []
    let from = first
    let fromAt = at
    while (hops.length < hopsMax) {
      const toAt = findTarget(entries, from, fromAt, isTaken)
      const to = entries[toAt]
      if (to === undefined || !mayFollow(from, to)) break
      isTaken.add(to)
      hops.push(to)
      from = to
      fromAt = toAt
    }
    chains.set(first, hops)
  }
  return chains
}

function findTarget<Entry extends HarEntry>(
  entries: readonly Entry[],
  from: Entry,
  fromAt: number,
  isTaken: ReadonlySet<Entry>,
): number {
  if (from.redirectUrl === null) return -1
  const end = Math.min(entries.length, fromAt + 1 + entriesAhead)
  for (let at = fromAt + 1; at < end; at++) {
    const to = entries[at]!
    if (to.startMs - from.endMs > followedWithinMs) return -1
    if (to.url.href.replace(/#.*$/s, '') === from.redirectUrl && !isTaken.has(to) && isMethodAfter(from, to))
      return at
  }
  return -1
}

/** 307 and 308 keep the method; the others make GET of it, as browsers do. */
function isMethodAfter(from: HarEntry, to: HarEntry): boolean {
  if (to.method === from.method) return true
  return to.method === 'GET' && from.status !== 307 && from.status !== 308
}
