import type { DescribeClient } from '../client.ts'
import { askInRepository, ownShell, sharedGuide } from '../common.ts'
import { jsonFile } from '../snippets.ts'
import { serverName } from '../site.ts'

const settings = '~/.codeium/windsurf/mcp_config.json'

export const windsurf: DescribeClient = (site) => {
  const serverUrl = `${site.origin}/mcp/compact`
  return {
    id: 'windsurf',
    name: 'Windsurf',
    documentation: 'https://docs.windsurf.com/windsurf/cascade/mcp',
    path: '/mcp/compact',
    toolLimit: 100,
    tools:
      'Cascade takes 100 tools, of all servers together; the default address has more. This one lists a handful, from which every other one is found and called.',
    add: [
      jsonFile(settings, { mcpServers: { [serverName]: { serverUrl } } }),
      'The key is `serverUrl`. Windsurf Settings → Cascade → MCP Servers opens the file (View raw config). Then press **Refresh**.',
    ],
    logIn: `Cascade opens the browser when it starts the server.`,
    ask: askInRepository,
    guide: sharedGuide(site, 'AGENTS.md'),
    skills: { folder: '.windsurf/skills', installer: 'windsurf' },
    files: [ownShell],
    token: [
      jsonFile(
        settings,
        {
          mcpServers: {
            [serverName]: { serverUrl, headers: { Authorization: `Bearer \${env:FLAMEGATE_TOKEN}` } },
          },
        },
        'Configuration with an API token',
      ),
    ],
    remove: [`Windsurf Settings → Cascade → MCP Servers, or take it out of \`${settings}\`.`],
  }
}
