import type { Driver, Situation } from '../driver.ts'
import type { ClientDocument } from '../metadata-hosts.ts'

function inspector(era: 'legacy' | 'modern', document?: ClientDocument) {
  const own = document === undefined ? [] : ['--client-metadata-url', document.url]
  const run = ({ terminal, mcpUrl }: Situation, ...args: string[]) =>
    terminal.run(
      ['mcp-inspector', '--cli', mcpUrl, '--transport', 'http', '--protocol-era', era, ...own, ...args],
      { env: { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' }, needsTerminal: true },
    )
  const list = ['--method', 'tools/list']
  return {
    id: 'inspector',
    package: { package: '@modelcontextprotocol/inspector', version: '2.12.0' },
    document,
    logIn: (situation: Situation) => run(situation, ...list),
    list: (situation: Situation) => run(situation, ...list, '--strict', '--stored-auth-only'),
    call: (situation: Situation) =>
      run(situation, '--method', 'tools/call', '--tool-name', 'get_current_user', '--stored-auth-only'),
    refusalText: /auth_required|unauthorized|authenticat/i,
  } satisfies Partial<Driver>
}

export const inspectorDrivers: Driver[] = [
  { ...inspector('legacy'), title: 'MCP Inspector, older era' },
  { ...inspector('modern'), title: 'MCP Inspector, newer era' },
  {
    ...inspector('modern', {
      url: 'https://inspector.example/client.json',
      metadata: {
        client_name: 'Inspector',
        redirect_uris: ['http://127.0.0.1:6276/oauth/callback'],
        token_endpoint_auth_method: 'none',
      },
    }),
    title: 'MCP Inspector, metadata document',
  },
]
