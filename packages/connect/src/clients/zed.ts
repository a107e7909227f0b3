import type { DescribeClient } from '../client.ts'
import { askInRepository, ownShell, sharedGuide } from '../common.ts'
import { jsonFile, tokenPlaceholder } from '../snippets.ts'
import { serverName } from '../site.ts'

const settings = '~/.config/zed/settings.json'

export const zed: DescribeClient = (site) => {
  const url = `${site.origin}/mcp/compact`
  const headers = { Authorization: `Bearer ${tokenPlaceholder}` }
  return {
    id: 'zed',
    name: 'Zed',
    documentation: 'https://zed.dev/docs/ai/mcp',
    path: '/mcp/compact',
    tools:
      'Zed gives every tool to the model in each request. This address lists a handful, from which every other one is found and called.',
    add: [
      jsonFile(settings, { context_servers: { [serverName]: { url } } }),
      'Run `zed: open settings file`, or Settings → AI → MCP Servers → Add Server. On Windows the file is `%APPDATA%\\Zed\\settings.json`.',
    ],
    logIn:
      'Zed says that the server wants a log-in: press **Authenticate**. The dot beside its name turns green.',
    ask: askInRepository,
    guide: [
      ...sharedGuide(site, 'AGENTS.md'),
      'Zed reads the first of `.rules`, `.cursorrules`, `.windsurfrules`, `.clinerules`, `.github/copilot-instructions.md`, `AGENT.md` and `AGENTS.md` that there is.',
    ],
    skills: { folder: '.agents/skills', installer: 'zed' },
    files: [ownShell],
    token: [
      jsonFile(
        settings,
        { context_servers: { [serverName]: { url, headers } } },
        'Configuration with an API token',
      ),
    ],
    remove: [`Settings → AI → MCP Servers, or take it out of \`${settings}\`.`],
  }
}
