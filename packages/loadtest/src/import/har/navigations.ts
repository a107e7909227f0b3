import { withoutFragment, headerOf, refererOf } from './har-entry.ts'
import type { HarRequest } from './har-request.ts'
import { destinationOf, isStaticPath } from './resource-kind.ts'

/** So long after a page within a page was loaded, what the outer one goes on to load tells of it, in milliseconds. */
const outerGoesOnMs = 2000
/** As many requests are looked at for that. */
const requestsAhead = 100

/**
 * The requests with which a tab went to another page: by a link, a form, or an address that was typed in; with a form's
 * redirects, and not without: what a redirect led to is no way of its own. Frames within pages are none of them.
 * @param requests in the order of their times
 */
export function findNavigations(requests: readonly HarRequest[]): ReadonlySet<HarRequest> {
  const found = new Set<HarRequest>()
  /** Of each tab: where it is, without what it went through on the way. */
  const here = new Map<string | null, string>()
  const ledTo = new Set<string>()
  for (const [index, request] of requests.entries()) {
    const { first, hops } = request
    const tab = pageIdOf(request)
    const outer = here.get(tab)
    // Where a request does not follow its redirect by itself, the next one is what it led to.
    const isLedTo = ledTo.delete(withoutFragment(first))
    if (isPageLoad(request) && !isLedTo && !isFrame(requests, index, outer)) {
      found.add(request)
      here.set(tab, withoutFragment(hops.at(-1) ?? first))
    }
    const { redirectUrl } = hops.at(-1) ?? first
    if (redirectUrl !== null) ledTo.add(redirectUrl)
  }
  return found
}

/** The page that a request is of: the one that it led to. */
export function pageIdOf({ first, hops }: HarRequest): string | null {
  return (hops.at(-1) ?? first).pageId
}

function isPageLoad({ first, hops, kind }: HarRequest): boolean {
  const destination = destinationOf(first) ?? hops.map(destinationOf).find((each) => each !== undefined)
  if (destination !== undefined) return destination === 'document'
  if (first.resourceType !== null && first.resourceType !== 'document') return false
  const last = hops.at(-1) ?? first
  const answered =
    last.redirectUrl !== null ||
    last.status === 304 ||
    /^\s*(?:text\/html|application\/xhtml)/i.test(last.mimeType ?? '')
  if (!answered) return false
  if (first.resourceType === 'document' || headerOf(first, 'upgrade-insecure-requests') !== undefined)
    return true
  const accept = headerOf(first, 'accept')
  return (
    kind === 'document' &&
    headerOf(first, 'x-requested-with') === undefined &&
    (accept === undefined || accept.includes('html')) &&
    !isStaticPath(first.url.pathname)
  )
}

/** A page within a page, which browsers tell of as of any other: the recording goes on with what the outer page loads. */
function isFrame(requests: readonly HarRequest[], index: number, outer: string | undefined): boolean {
  const request = requests[index]!
  const { first, hops, endMs } = request
  if (destinationOf(first) !== undefined || outer === undefined) return false
  if ([first, ...hops].some((each) => withoutFragment(each) === outer)) return false
  if (first.initiator === 'parser') return true
  const end = Math.min(requests.length, index + 1 + requestsAhead)
  for (let ahead = index + 1; ahead < end; ahead++) {
    const next = requests[ahead]!
    if (next.startMs - endMs > outerGoesOnMs) return false
    const isLoaded = next.kind === 'document' || next.kind === 'static'
    // What began before it came may have been on its way when the page was left.
    if (!isLoaded || next.startMs < endMs || pageIdOf(next) !== pageIdOf(request)) continue
    if (refererOf(next.first) === outer) return true
  }
  return false
}
