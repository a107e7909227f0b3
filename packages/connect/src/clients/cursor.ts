import type { DescribeClient } from '../client.ts'
import { askInRepository, sharedGuide } from '../common.ts'
import { cursorLink } from '../install-links.ts'
import { command, jsonFile } from '../snippets.ts'
import { domainOf, serverName } from '../site.ts'

const settings = '.cursor/mcp.json'

export const cursor: DescribeClient = (site) => {
  const url = `${site.origin}/mcp/compact`
  return {
    id: 'cursor',
    name: 'Cursor',
    documentation: 'https://cursor.com/docs/mcp',
    path: '/mcp/compact',
    toolLimit: 40,
    tools:
      'Cursor took no more than 40 tools for long. This address lists a handful, from which every other one is found and called; without `/compact` it lists the whole default set, for versions that take more.',
    add: [
      { link: cursorLink(url), label: 'Install in Cursor' },
      'Cursor shows the server: press **Install**.',
    ],
    logIn: 'Cursor lists the server among its MCP servers, with a button to log in.',
    ask: askInRepository,
    otherWays: [
      'For one project, or in `~/.cursor/mcp.json` for all of yours:',
      jsonFile(settings, { mcpServers: { [serverName]: { url } } }),
    ],
    guide: [
      'As a rule, which it takes when a question is about performance:',
      command(
        'Fetch the rule',
        `curl --create-dirs -o .cursor/rules/${serverName}.mdc ${site.origin}/mcp/public/agents/cursor/.cursor/rules/${serverName}.mdc`,
      ),
      'Or as a file that is always there:',
      ...sharedGuide(site, 'AGENTS.md'),
    ],
    skills: { folder: '.agents/skills', installer: 'cursor' },
    files: [
      'Cursor runs commands in a sandbox without network, and asks to run them outside of it. To let them reach this host, unless it is a private address:',
      jsonFile('.cursor/sandbox.json', { networkPolicy: { default: 'deny', allow: [domainOf(site)] } }),
    ],
    token: [
      jsonFile(
        settings,
        {
          mcpServers: {
            [serverName]: { url, headers: { Authorization: `Bearer \${env:FLAMEGATE_TOKEN}` } },
          },
        },
        'Configuration with an API token',
      ),
    ],
    remove: [`Take it out of \`${settings}\`, or delete it in the list of MCP servers.`],
  }
}
