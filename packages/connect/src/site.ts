/** An installation as its clients reach it. */
export interface Site {
  /** Its public URL, without a trailing slash. */
  origin: string
}

/** The server as clients call it in their settings. */
export const serverName = 'flamegate'

/** An address below `/mcp`; each lists other tools: docs/mcp-addresses.md. */
export type EndpointPath = '/mcp' | '/mcp/compact'

/** Its host, with the port where there is one. */
export function hostOf({ origin }: Site): string {
  return new URL(origin).host
}

/** Its host as lists of allowed domains take it, without a port. */
export function domainOf({ origin }: Site): string {
  return new URL(origin).hostname
}
