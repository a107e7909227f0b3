/** An MCP server that is a command: it is started, and spoken to over its standard streams. */
export interface StdioTarget {
  kind: 'stdio'
  name: string
  /** Where it was found, for people: `.mcp.json`, `the command line`. */
  from: string
  command: readonly [string, ...string[]]
  /** Added to the environment of this process. */
  env: Readonly<Record<string, string>>
  cwd: string
}

/** An MCP server that runs already, at a URL. */
export interface HttpTarget {
  kind: 'http'
  name: string
  from: string
  url: string
  transport: 'streamable_http' | 'sse'
  /** Sent with every request; may hold credentials. */
  headers: Readonly<Record<string, string>>
}

export type McpTarget = StdioTarget | HttpTarget
