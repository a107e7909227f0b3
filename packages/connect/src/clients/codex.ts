import type { DescribeClient } from '../client.ts'
import { askInRepository, sharedGuide } from '../common.ts'
import { command, tomlFile } from '../snippets.ts'
import { domainOf, serverName } from '../site.ts'

const settings = '~/.codex/config.toml'

export const codex: DescribeClient = (site) => {
  const url = `${site.origin}/mcp`
  const add = `codex mcp add ${serverName} --url ${url}`
  return {
    id: 'codex',
    name: 'Codex',
    documentation: 'https://developers.openai.com/codex/mcp',
    path: '/mcp',
    tools:
      'It has no limit, but may carry every tool along in each turn. `/mcp/compact` costs least; the page Tool addresses has them all.',
    add: [command('Command for Codex', add)],
    logIn: `The browser opens by itself. Later, \`codex mcp login ${serverName}\` logs in again; \`codex mcp list\` says whether you are.`,
    ask: askInRepository,
    otherWays: [
      'The command line, the editor extension and the desktop app read one file, or `.codex/config.toml` in a project that you trust:',
      tomlFile(settings, `[mcp_servers.${serverName}]\nurl = ${JSON.stringify(url)}`),
    ],
    guide: sharedGuide(site, 'AGENTS.md'),
    skills: { folder: '.agents/skills', installer: 'codex' },
    files: [
      'Its sandbox has no network, and it asks you each time. To let commands out, beside what is there:',
      tomlFile(
        settings,
        'sandbox_mode = "workspace-write"\n\n[sandbox_workspace_write]\nnetwork_access = true',
        'Sandbox settings',
      ),
      `Codex cloud has it in the environment’s settings: Agent internet access → On, with \`${domainOf(site)}\` among the allowed domains.`,
    ],
    token: [
      'It reads the token from a variable of your shell:',
      command('Command with an API token', `${add} --bearer-token-env-var FLAMEGATE_TOKEN`),
    ],
    remove: [command('Command to remove it', `codex mcp remove ${serverName}`)],
  }
}
