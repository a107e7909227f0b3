import type { Driver, Situation } from '../driver.ts'

/** Its own trial: it lists tools and resources once and then stays until its input ends. */
const connect = ({ terminal, mcpUrl, hasAskedToLogIn }: Situation, mayLogIn: boolean) =>
  terminal.run(['mcp-remote-client', mcpUrl, '--allow-http'], {
    until: (output) => /listening for messages|exiting/i.test(output) || (!mayLogIn && hasAskedToLogIn()),
    timeoutMs: 30_000,
  })

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'matrix', version: '1' },
}
const lines = (...messages: object[]) =>
  messages.map((each) => `${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`)

/** What it is for: a program that knows only standard input and output calls through it. */
const call = ({ terminal, mcpUrl }: Situation) =>
  terminal.run(['mcp-remote', mcpUrl, '--allow-http'], {
    first: lines(
      { id: 1, method: 'initialize', params: initialize },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'get_current_user', arguments: {} } },
    ).join(''),
    until: (output) => /"id":2\b/.test(output),
    timeoutMs: 30_000,
  })

export const mcpRemote: Driver = {
  id: 'mcp-remote',
  title: 'mcp-remote',
  package: { package: 'mcp-remote', version: '0.15.1' },
  logIn: (situation) => connect(situation, true),
  list: (situation) => connect(situation, false),
  call,
  refusalText: /unauthorized|authenticat/i,
}
