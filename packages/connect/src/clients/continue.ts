import type { DescribeClient } from '../client.ts'
import { askInRepository, ownShell } from '../common.ts'
import { fetchGuide, yamlFile } from '../snippets.ts'
import { serverName } from '../site.ts'

const settings = `.continue/mcpServers/${serverName}.yaml`

export const continueDev: DescribeClient = (site) => {
  const block = `
name: Flamegate
version: 0.0.1
schema: v1
mcpServers:
  - name: ${serverName}
    type: streamable-http
    url: ${site.origin}/mcp/compact
`
  return {
    id: 'continue',
    name: 'Continue',
    documentation: 'https://docs.continue.dev/customize/deep-dives/mcp',
    path: '/mcp/compact',
    tools:
      'Continue puts every tool into each request. This address lists a handful, from which every other one is found and called.',
    add: [
      yamlFile(settings, block),
      'In the project, or below your home folder for all of them. MCP is for agent mode.',
    ],
    logIn: 'Continue lists the server among its tools, with a button to log in.',
    ask: askInRepository,
    guide: [fetchGuide(site, `.continue/rules/${serverName}.md`)],
    skills: { folder: '.continue/skills', installer: 'continue' },
    files: [ownShell],
    token: [
      'With `FLAMEGATE_TOKEN` in `~/.continue/.env`:',
      yamlFile(
        settings,
        `${block.trimEnd()}
    requestOptions:
      headers:
        Authorization: Bearer \${{ secrets.FLAMEGATE_TOKEN }}
`,
        'Configuration with an API token',
      ),
    ],
    remove: [`Delete \`${settings}\`.`],
  }
}
