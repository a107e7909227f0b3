import type { DescribeClient } from '../client.ts'
import { askAnywhere } from '../common.ts'
import { bridge, jsonFile, tokenPlaceholder } from '../snippets.ts'
import { serverName } from '../site.ts'
import { claudeConnector, claudeEgress } from './claude-ai.ts'

const settings = 'claude_desktop_config.json'

export const claudeDesktop: DescribeClient = (site) => {
  const url = `${site.origin}/mcp`
  const token = bridge(url, '--header', `Authorization: Bearer ${tokenPlaceholder}`)
  return {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    documentation:
      'https://support.claude.com/en/articles/11503834-building-custom-integrations-via-remote-mcp-servers',
    callsFromAfar: true,
    path: '/mcp',
    tools: 'No limit is known, so the default address does. A call is cut off after four minutes.',
    add: claudeConnector(site),
    logIn:
      'Customize → Connectors → Flamegate → **Connect**. Claude.ai and Claude Desktop share their connectors: one log-in is for both.',
    ask: askAnywhere,
    otherWays: [
      `It does not take a remote server from \`${settings}\`. It does start programs from there, which needs Node.js, and reaches an installation on your own machine or network (Settings → Developer → Edit Config, then restart it):`,
      jsonFile(settings, { mcpServers: { [serverName]: bridge(url) } }),
    ],
    guide: [],
    files: claudeEgress(site),
    token: [jsonFile(settings, { mcpServers: { [serverName]: token } }, 'Configuration with an API token')],
    remove: [`Customize → Connectors → Flamegate → Remove; or take it out of \`${settings}\`.`],
  }
}
