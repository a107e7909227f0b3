import type { DescribeClient } from '../client.ts'
import { askAnywhere, ownShell, sharedGuide } from '../common.ts'
import { bridge, jsonText, tokenPlaceholder } from '../snippets.ts'
import { serverName } from '../site.ts'

export const other: DescribeClient = (site) => {
  const url = `${site.origin}/mcp`
  const headers = { Authorization: `Bearer ${tokenPlaceholder}` }
  return {
    id: 'other',
    name: 'Any other',
    documentation: 'https://modelcontextprotocol.io/clients',
    path: '/mcp',
    tools:
      'If it takes few tools, or you pay for them by the token, `/mcp/compact` lists a handful from which every other one is found and called. The page Tool addresses has the rest.',
    add: [
      { copy: url, label: 'MCP URL', language: 'text' },
      'Any client that speaks MCP over Streamable HTTP takes this, and finds out by itself how to log in.',
    ],
    logIn: 'It opens a browser, at once or when you first use it.',
    ask: askAnywhere,
    otherWays: [
      'Most take JSON of this form:',
      jsonText('Configuration', { mcpServers: { [serverName]: { type: 'http', url } } }),
      'One that only starts programs gets one from npm that speaks in its place, and needs Node.js:',
      jsonText('Configuration with a program', { mcpServers: { [serverName]: bridge(url) } }),
      'Where the command line of Flamegate is, its `flamegate mcp-stdio` does the same, with the log-in of `flamegate login`.',
    ],
    guide: sharedGuide(site, 'AGENTS.md'),
    skills: { folder: '.agents/skills', installer: 'universal' },
    files: [ownShell],
    token: [
      'For a client that cannot open a browser:',
      jsonText('Configuration with an API token', {
        mcpServers: { [serverName]: { type: 'http', url, headers } },
      }),
      'One that knows OAuth client credentials shows the token’s id as the client id, and the token as the secret.',
    ],
    remove: ['Take it out of its settings. The page Connected apps of Flamegate ends its access at once.'],
  }
}
