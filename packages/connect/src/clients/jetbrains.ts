import type { DescribeClient } from '../client.ts'
import { askInRepository, ownShell } from '../common.ts'
import { bridge, fetchGuide, jsonText, tokenPlaceholder } from '../snippets.ts'
import { serverName } from '../site.ts'

const settings = 'Settings → Tools → AI Assistant → Model Context Protocol (MCP)'

export const jetbrains: DescribeClient = (site) => {
  const url = `${site.origin}/mcp/compact`
  const token = bridge(url, '--header', `Authorization: Bearer ${tokenPlaceholder}`)
  return {
    id: 'jetbrains',
    name: 'JetBrains',
    documentation: 'https://www.jetbrains.com/help/ai-assistant/mcp.html',
    path: '/mcp/compact',
    tools:
      'AI Assistant names no limit, but gives every tool to the model. This address lists a handful, from which every other one is found and called.',
    add: [
      jsonText('Configuration for JetBrains', { mcpServers: { [serverName]: bridge(url) } }),
      `${settings} → Add → As JSON. It starts a program that logs in, which needs Node.js.`,
    ],
    logIn: 'Press **Apply**. The program opens the browser when the server is first started.',
    ask: askInRepository,
    otherWays: [
      'It also takes the address alone. Its maker does not say whether it can log in so; if the server stays red, take the configuration above:',
      jsonText('Configuration with the address alone', { mcpServers: { [serverName]: { url } } }),
      'Junie has the same under Settings → Tools → Junie → MCP Settings.',
    ],
    guide: [fetchGuide(site, `.aiassistant/rules/${serverName}.md`)],
    skills: { folder: '.junie/skills', installer: 'junie' },
    files: [ownShell],
    token: [jsonText('Configuration with an API token', { mcpServers: { [serverName]: token } })],
    remove: [`${settings} → ${serverName} → Remove.`],
  }
}
