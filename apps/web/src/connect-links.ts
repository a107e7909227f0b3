/** How MCP clients are told about this server: links that install, and snippets to paste. */

const serverName = 'flamegate'

/** The MCP endpoint of the platform that serves this page. */
export function mcpUrl(origin: string): string {
  return `${origin}/mcp`
}

/** The address below an MCP endpoint that lists a handful of tools, for clients that take few. */
export function compactUrl(url: string): string {
  return `${url}/compact`
}

/** Opens Cursor with the server filled in: https://cursor.com/docs/mcp/install-links */
export function cursorLink(url: string): string {
  const query = new URLSearchParams({ name: serverName, config: btoa(JSON.stringify({ url })) })
  return `cursor://anysphere.cursor-deeplink/mcp/install?${query}`
}

/** Opens VS Code, by way of its redirect page, with the server filled in. */
export function vsCodeLink(url: string): string {
  const query = new URLSearchParams({ name: serverName, config: JSON.stringify({ type: 'http', url }) })
  // Its page reads %20 but takes a plus for a plus.
  return `https://vscode.dev/redirect/mcp/install?${query.toString().replaceAll('+', '%20')}`
}

/** For `.vscode/mcp.json`. */
export function vsCodeConfig(url: string): string {
  return JSON.stringify({ servers: { [serverName]: { type: 'http', url } } }, null, 2)
}

/** For `.cursor/mcp.json`. */
export function cursorConfig(url: string): string {
  return JSON.stringify({ mcpServers: { [serverName]: { url } } }, null, 2)
}

/** For a client that sends fixed headers instead of logging in. */
export function tokenConfig(url: string): string {
  return JSON.stringify(
    { mcpServers: { [serverName]: { type: 'http', url, headers: { Authorization: 'Bearer fg_…' } } } },
    null,
    2,
  )
}

export function claudeCodeCommand(url: string): string {
  return `claude mcp add --transport http ${serverName} ${url}`
}

export function codexCommand(url: string): string {
  return `codex mcp add ${serverName} --url ${url}`
}

export function geminiCommand(url: string): string {
  return `gemini mcp add -t http -s user ${serverName} ${url}`
}
