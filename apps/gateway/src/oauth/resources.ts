import type { Scope } from '@flamegate/contract'
import { siteNames, type SiteNames } from '../site-names.ts'

/** Metadata of a protected resource (RFC 9728, 2). */
interface ProtectedResourceMetadata {
  resource: string
  authorization_servers: string[]
  scopes_supported: Scope[]
  bearer_methods_supported: string[]
  resource_name: string
}

/** What access tokens can be for. Each has one canonical URL, the audience, and more URLs that mean the same. */
export interface Resources {
  /** By which they are reached. */
  names: SiteNames
  /** Audience of everything under `/mcp`. */
  mcp: string
  /** Audience of everything under `/v1`. */
  rest: string
  /** The audience that a resource indicator (RFC 8707) means; undefined when it is not one of ours. */
  canonical(indicator: string): string | undefined
  /**
   * Metadata for the URL of which `target` is path and query as they were typed, and `host` what was typed before. Clients compare
   * `resource` with what they typed, letter by letter; undefined when nothing of ours is there.
   */
  metadata(target: string, host: string): ProtectedResourceMetadata | undefined
  /** Where the metadata for that URL is: the `resource_metadata` of a 401. */
  metadataUrl(target: string, host: string): string
}

/**
 * What a client should ask for first. Only reading: more is asked for when it is needed (403 `insufficient_scope`),
 * because many clients ask for everything that is listed.
 */
export const firstScopes: readonly Scope[] = ['read']

export const metadataPath = '/.well-known/oauth-protected-resource'

/** @param issuer The public URL, without a path and without a trailing slash. */
export function createResources(issuer: string, names: SiteNames = siteNames(issuer)): Resources {
  const mcp = `${issuer}/mcp`
  const rest = `${issuer}/v1`

  function canonical(indicator: string): string | undefined {
    const url = URL.parse(indicator)
    if (url === null || !names.isOrigin(url.origin) || url.hash !== '') return undefined
    const path = url.pathname.toLowerCase().replace(/\/+$/, '')
    // A client that knows only the origin (it read the metadata at the root) means MCP.
    if (path === '' || path === '/mcp' || path.startsWith('/mcp/')) return mcp
    return path === '/v1' || path.startsWith('/v1/') ? rest : undefined
  }

  return {
    names,
    mcp,
    rest,
    canonical,
    metadata(target, host) {
      const resource = `${names.originOf(host)}${target === '' || target === '/' ? '/mcp' : target}`
      const audience = canonical(resource)
      if (!audience) return undefined
      return {
        resource,
        authorization_servers: [issuer],
        scopes_supported: [...firstScopes],
        bearer_methods_supported: ['header'],
        resource_name: audience === mcp ? 'Flamegate' : 'Flamegate REST API',
      }
    },
    metadataUrl: (target, host) => `${names.originOf(host)}${metadataPath}${target}`,
  }
}
