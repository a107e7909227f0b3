import type { DescribeClient } from '../client.ts'
import { askInRepository } from '../common.ts'
import { command, fetchGuide, jsonFile, tokenPlaceholder } from '../snippets.ts'
import { hostOf, serverName } from '../site.ts'

export const claudeCode: DescribeClient = (site) => {
  const url = `${site.origin}/mcp`
  const add = `claude mcp add --transport http ${serverName} ${url}`
  return {
    id: 'claude-code',
    name: 'Claude Code',
    documentation: 'https://code.claude.com/docs/en/mcp',
    path: '/mcp',
    tools: 'It loads a tool when it needs it, so the default address does.',
    add: [command('Command for Claude Code', add)],
    logIn: `Start \`claude\`, type \`/mcp\`, choose ${serverName} and press **Authenticate**; or run \`claude mcp login ${serverName}\`. \`claude mcp list\` says whether it is connected.`,
    ask: askInRepository,
    otherWays: [
      'The command adds it to the project you are in. For all of yours:',
      command(
        'Command for all projects',
        `claude mcp add --transport http --scope user ${serverName} ${url}`,
      ),
      'As a plugin, with the skills and a command for each prompt, from an installation with https:',
      command(
        'Commands for the plugin',
        `claude plugin marketplace add ${site.origin}/mcp/public/agents/marketplace.json\nclaude plugin install ${serverName}@${serverName}`,
      ),
      'For everybody who works in a repository, this goes into a file of it:',
      jsonFile('.mcp.json', { mcpServers: { [serverName]: { type: 'http', url } } }),
    ],
    guide: [fetchGuide(site, `.claude/rules/${serverName}.md`)],
    skills: { folder: '.claude/skills', installer: 'claude-code' },
    files: [
      'It runs `curl` in your shell and asks you first. With its sandbox on, allow the host:',
      jsonFile('.claude/settings.json', { sandbox: { network: { allowedDomains: [hostOf(site)] } } }),
      'Claude Code on the web has it in the environment: Network access → Custom → Allowed domains.',
    ],
    token: [
      command('Command with an API token', `${add} --header "Authorization: Bearer ${tokenPlaceholder}"`),
    ],
    remove: [command('Command to remove it', `claude mcp remove ${serverName}`)],
  }
}
