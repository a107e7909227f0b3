import type { DescribeClient } from '../client.ts'
import { askInRepository, ownShell } from '../common.ts'
import { fetchGuide, jsonFile, tokenPlaceholder } from '../snippets.ts'
import { serverName } from '../site.ts'

const settings = 'cline_mcp_settings.json'

export const cline: DescribeClient = (site) => {
  const server = { type: 'streamableHttp', url: `${site.origin}/mcp/compact` }
  const withHeader = { ...server, headers: { Authorization: `Bearer ${tokenPlaceholder}` } }
  return {
    id: 'cline',
    name: 'Cline',
    documentation: 'https://docs.cline.bot/mcp/connecting-to-a-remote-server',
    path: '/mcp/compact',
    tools:
      'Cline puts every tool into each request. This address lists a handful, from which every other one is found and called.',
    add: [
      jsonFile(settings, { mcpServers: { [serverName]: server } }),
      'MCP Servers (the icon at the top) → Configure → Configure MCP Servers opens the file. Without the `type` it would speak an older transport, which does not connect.',
    ],
    logIn: 'Cline lists the server with a button to log in.',
    ask: askInRepository,
    otherWays: [
      'By hand: MCP Servers → Remote Servers, with the name `flamegate`, the address, and Streamable HTTP as transport.',
    ],
    guide: [fetchGuide(site, `.clinerules/${serverName}.md`)],
    skills: {
      folder: '.cline/skills',
      installer: 'cline',
      note: 'Skills are turned on under Settings → Features.',
    },
    files: [ownShell],
    token: [
      jsonFile(settings, { mcpServers: { [serverName]: withHeader } }, 'Configuration with an API token'),
    ],
    remove: ['MCP Servers → Configure → Flamegate → Delete Server.'],
  }
}
