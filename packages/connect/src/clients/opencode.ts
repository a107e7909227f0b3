import type { DescribeClient } from '../client.ts'
import { askInRepository, ownShell, sharedGuide } from '../common.ts'
import { command, jsonFile, tokenPlaceholder } from '../snippets.ts'
import { serverName } from '../site.ts'

const settings = 'opencode.json'

export const opencode: DescribeClient = (site) => {
  const url = `${site.origin}/mcp`
  const add = `opencode mcp add ${serverName} --url ${url}`
  return {
    id: 'opencode',
    name: 'OpenCode',
    documentation: 'https://opencode.ai/docs/mcp-servers/',
    path: '/mcp',
    tools:
      'It has no limit, but carries every tool along in each turn. `/mcp/compact` costs least; the page Tool addresses has them all.',
    add: [command('Command for OpenCode', add)],
    logIn: `Run \`opencode mcp auth ${serverName}\`. \`opencode mcp list\` says whether it is connected.`,
    ask: askInRepository,
    otherWays: [
      'For one project, this goes into a file of it:',
      jsonFile(settings, {
        $schema: 'https://opencode.ai/config.json',
        mcp: { [serverName]: { type: 'remote', url } },
      }),
    ],
    guide: sharedGuide(site, 'AGENTS.md'),
    skills: { folder: '.opencode/skills', installer: 'opencode' },
    files: [ownShell],
    token: [
      command('Command with an API token', `${add} --header "Authorization=Bearer ${tokenPlaceholder}"`),
    ],
    remove: [
      `\`opencode mcp logout ${serverName}\` forgets the log-in. Then take it out of \`~/.config/opencode/opencode.jsonc\`, or of \`${settings}\`.`,
    ],
  }
}
