import type { DescribeClient } from '../client.ts'
import { askInRepository, ownShell, sharedGuide } from '../common.ts'
import { vsCodeLink } from '../install-links.ts'
import { command, jsonFile } from '../snippets.ts'
import { serverName } from '../site.ts'

const settings = '.vscode/mcp.json'

export const vsCode: DescribeClient = (site) => {
  const server = { type: 'http', url: `${site.origin}/mcp` }
  return {
    id: 'vs-code',
    name: 'VS Code',
    documentation: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
    path: '/mcp',
    toolLimit: 128,
    tools:
      'Copilot takes 128 tools at once, of all servers together. The tool picker of the chat turns off what you do not need.',
    add: [
      { link: vsCodeLink(server.url), label: 'Install in VS Code' },
      'VS Code shows the server: press **Install**.',
    ],
    logIn:
      'VS Code says that the server wants to authenticate: press **Allow**. Then ask in the chat, in agent mode.',
    ask: askInRepository,
    otherWays: [
      'For everybody who works in a repository, this goes into a file of it; press **Start** above the entry:',
      jsonFile(settings, { servers: { [serverName]: server } }),
      'From a shell, for yourself:',
      command('Command for VS Code', `code --add-mcp '${JSON.stringify({ name: serverName, ...server })}'`),
    ],
    guide: sharedGuide(site, '.github/copilot-instructions.md'),
    skills: { folder: '.github/skills', installer: 'github-copilot' },
    files: [ownShell],
    token: [
      'VS Code asks for the token once and keeps it:',
      jsonFile(
        settings,
        {
          inputs: [
            {
              type: 'promptString',
              id: `${serverName}-token`,
              description: 'Flamegate API token',
              password: true,
            },
          ],
          servers: {
            [serverName]: { ...server, headers: { Authorization: `Bearer \${input:${serverName}-token}` } },
          },
        },
        'Configuration with an API token',
      ),
    ],
    remove: [
      `Extensions view, MCP Servers – Installed, ${serverName}, **Uninstall**; or take it out of \`${settings}\`.`,
    ],
  }
}
