import { UsageError } from '../usage-error.ts'

export interface AskedAddress {
  /** Path at the site, such as `/mcp/compact`. */
  address: string | undefined
  /** Names with commas between. */
  toolsets: string | undefined
  isReadOnly: boolean
}

/** The MCP endpoint of a site that lists what was asked for: see docs/mcp-addresses.md. @throws UsageError */
export function mcpAddress(siteUrl: string, { address = '/mcp', toolsets, isReadOnly }: AskedAddress): URL {
  const url = URL.parse(address, siteUrl)
  const isOfMcp = url !== null && /^\/mcp(?:\/|$)/.test(url.pathname)
  if (!address.startsWith('/') || !isOfMcp || url.origin !== new URL(siteUrl).origin) {
    throw new UsageError(`--address ${address}: Give a path that begins with /mcp, such as /mcp/compact.`)
  }
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const names = toolsets?.split(',').map((name) => name.trim())
  if (names !== undefined) {
    if (parts.includes('x') || parts.includes('compact')) {
      throw new UsageError(`--toolsets: ${address} says already which tools are listed.`)
    }
    const wrong = names.find((name) => !/^[a-z_]+$/.test(name))
    if (wrong !== undefined) {
      throw new UsageError(
        `--toolsets ${toolsets}: Give names with commas between, such as benchmarks,profiles.`,
      )
    }
    // In front of what comes last.
    parts.splice(parts.at(-1) === 'readonly' ? -1 : parts.length, 0, 'x', names.join('+'))
  }
  if (isReadOnly && parts.at(-1) !== 'readonly') parts.push('readonly')
  url.pathname = parts.join('/')
  return url
}
