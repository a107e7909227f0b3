import type { DescribeClient } from '../client.ts'
import { askAnywhere } from '../common.ts'
import { yamlFile } from '../snippets.ts'
import { serverName } from '../site.ts'

const settings = 'librechat.yaml'

export const librechat: DescribeClient = ({ origin }) => {
  const server = `
mcpServers:
  ${serverName}:
    type: streamable-http
    url: ${origin}/mcp/compact
    title: Flamegate
    serverInstructions: true
`
  return {
    id: 'librechat',
    name: 'LibreChat',
    documentation: 'https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/mcp_servers',
    path: '/mcp/compact',
    tools:
      'LibreChat gives every tool of the server to the model. This address lists a handful, from which every other one is found and called.',
    add: [
      yamlFile(settings, `${server.trimEnd()}\n    requiresOAuth: true\n`),
      'Whoever runs LibreChat adds this and restarts it.',
    ],
    logIn:
      'Choose Flamegate among the MCP servers below the message, and press its button to log in. Everybody logs in for themselves.',
    ask: askAnywhere,
    otherWays: [
      'LibreChat refuses private addresses. An installation in your own network has to be named, with its port:',
      yamlFile(
        settings,
        `mcpSettings:\n  allowedAddresses:\n    - ${JSON.stringify(addressOf(origin))}`,
        'Settings for a private address',
      ),
    ],
    guide: ['`serverInstructions: true` gives the agent what the server says of itself.'],
    files: ['LibreChat has no shell: it neither sends nor fetches files that are too large for a call.'],
    token: [
      'Everybody gives their own token, in place of the log-in:',
      yamlFile(
        settings,
        `${server.trimEnd()}
    requiresOAuth: false
    headers:
      Authorization: 'Bearer {{FLAMEGATE_TOKEN}}'
    customUserVars:
      FLAMEGATE_TOKEN:
        title: Flamegate API token
        description: Made on the page API tokens of Flamegate
`,
        'Configuration with an API token',
      ),
    ],
    remove: [`Take it out of \`${settings}\` and restart LibreChat.`],
  }
}

/** Host and port, which is written out. */
function addressOf(origin: string): string {
  const { hostname, port, protocol } = new URL(origin)
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`
}
