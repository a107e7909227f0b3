import type { DescribeClient } from '../client.ts'
import { askInRepository, sharedGuide } from '../common.ts'
import { command, jsonFile, tokenPlaceholder } from '../snippets.ts'
import { serverName } from '../site.ts'

export const geminiCli: DescribeClient = (site) => {
  const url = `${site.origin}/mcp`
  const add = (options: string) => `gemini mcp add -t http ${options} ${serverName} ${url}`
  return {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    documentation: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
    path: '/mcp',
    tools:
      'It has no limit, but carries every tool along in each turn. `/mcp/compact` costs least; the page Tool addresses has them all.',
    add: [command('Command for Gemini CLI', add('-s user'))],
    logIn: `Start \`gemini\` and type \`/mcp auth ${serverName}\`. \`gemini mcp list\` says whether it is connected.`,
    ask: askInRepository,
    otherWays: [
      'Without `-s user` it is added to the project you are in. As a file:',
      jsonFile('~/.gemini/settings.json', { mcpServers: { [serverName]: { httpUrl: url } } }),
    ],
    guide: sharedGuide(site, 'GEMINI.md'),
    skills: { folder: '.agents/skills', installer: 'gemini-cli' },
    files: [
      'It runs `curl` in your shell and asks you first. With its sandbox on, a profile or proxy of yours may close the network (`SEATBELT_PROFILE`): the profiles that end in `-open` leave it open.',
    ],
    token: [
      command('Command with an API token', add(`-s user -H "Authorization: Bearer ${tokenPlaceholder}"`)),
    ],
    remove: [command('Command to remove it', `gemini mcp remove -s user ${serverName}`)],
  }
}
