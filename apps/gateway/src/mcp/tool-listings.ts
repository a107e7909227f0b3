import { ExpiringCache } from '@flamegate/auth'
import { policyKey } from '@flamegate/surfaces'
import type { ToolPolicy, ToolRegistry } from '@flamegate/surfaces'
import { compressMiddle } from './gzip-around.ts'
import type { CompressedMiddle } from './gzip-around.ts'
import type { Era } from './plain-request.ts'
import { listCaching, resultStamp } from './server-identity.ts'

/** What one address lists to one kind of caller, in every form in which it is sent. */
export interface ToolListing extends ToolRegistry {
  /** The result of `tools/list`. */
  result(era: Era): ToolList
}

/** The result of `tools/list` as bytes, plain and compressed; each made when it is first asked for. */
export interface ToolList {
  plain: Buffer
  compressed: CompressedMiddle
}

/** There are few kinds of callers and few addresses that people use; each listing is some hundred kilobytes. */
const listingsMax = 64

/** Listings, made once for each policy and kept while they are asked for. */
export function createToolListings(
  build: (policy: ToolPolicy) => ToolRegistry,
): (policy: ToolPolicy) => ToolListing {
  const kept = new ExpiringCache<ToolListing>(listingsMax)
  return (policy) => {
    const key = policyKey(policy)
    const known = kept.get(key, 0)
    if (known !== undefined) return known
    const listing = toolListing(build(policy))
    kept.set(key, listing, Infinity)
    return listing
  }
}

function toolListing(registry: ToolRegistry): ToolListing {
  const listed = `"tools":${registry.toolsJson}`
  const lists: Record<Era, ToolList> = {
    legacy: toolList(`{${listed}}`),
    modern: toolList(
      `{${resultStamp},"ttlMs":${listCaching.ttlMs},"cacheScope":"${listCaching.cacheScope}",${listed}}`,
    ),
  }
  return { ...registry, result: (era) => lists[era] }
}

function toolList(json: string): ToolList {
  let plain: Buffer | undefined
  let compressed: CompressedMiddle | undefined
  return {
    get plain() {
      return (plain ??= Buffer.from(json))
    },
    get compressed() {
      return (compressed ??= compressMiddle(this.plain))
    },
  }
}
