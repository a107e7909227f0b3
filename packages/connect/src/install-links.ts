import { serverName } from './site.ts'

/** Opens Cursor with the server filled in: https://cursor.com/docs/mcp/install-links */
export function cursorLink(url: string): string {
  const query = new URLSearchParams({ name: serverName, config: btoa(JSON.stringify({ url })) })
  return `cursor://anysphere.cursor-deeplink/mcp/install?${query.toString()}`
}

/** Opens VS Code, by way of its redirect page, with the server filled in. */
export function vsCodeLink(url: string): string {
  const config = JSON.stringify({ type: 'http', url })
  return `https://vscode.dev/redirect/mcp/install?${spaced({ name: serverName, config })}`
}

/** Opens Claude with the server filled in: https://claude.com/docs/connectors/building/directory-vs-custom */
export function claudeConnectorLink(url: string): string {
  const query = spaced({ modal: 'add-custom-connector', connectorName: 'Flamegate', connectorUrl: url })
  return `https://claude.ai/customize/connectors?${query}`
}

/** Opens Goose Desktop with the server filled in: https://goose-docs.ai/docs/getting-started/using-extensions */
export function gooseLink(url: string): string {
  const about = 'Benchmarks, profiles and load tests'
  return `goose://extension?${spaced({ url, type: 'streamable_http', id: serverName, name: 'Flamegate', description: about, timeout: '300' })}`
}

/** A query with %20 for spaces, where a plus would be taken for a plus. */
function spaced(query: Record<string, string>): string {
  return new URLSearchParams(query).toString().replaceAll('+', '%20')
}
