import { withoutFragment, refererOf } from './har-entry.ts'
import type { HarRequest } from './har-request.ts'
import type { Segment } from './segments.ts'

/** As many as a request lists. */
const resourcesMax = 2000

/**
 * What a page loaded beside itself, by the request of the page: the one that the referer names, through style sheets if need be,
 * else the latest of the same page. Nothing comes under a request of another container, or one that is disabled.
 */
export function findResources(segments: readonly Segment[]): Map<HarRequest, HarRequest[]> {
  const owned = new Map<HarRequest, HarRequest[]>()
  for (const { steps } of segments) {
    const byUrl = new Map<string, HarRequest>()
    const latestByPage = new Map<string | null, HarRequest>()
    for (const step of steps) {
      if (step.kind !== 'request') continue
      const { request } = step
      const owner =
        request.kind === 'document'
          ? request
          : (byUrl.get(refererOf(request.first) ?? '') ?? latestByPage.get(request.first.pageId))
      if (owner === undefined || !owner.first.isVerified) continue
      for (const each of [request.first, ...request.hops]) byUrl.set(withoutFragment(each), owner)
      if (request.kind === 'document') latestByPage.set(request.first.pageId, request)
      if (request.kind !== 'static') continue
      const resources = owned.get(owner) ?? []
      if (resources.length === resourcesMax) continue
      resources.push(request)
      owned.set(owner, resources)
    }
  }
  return owned
}
