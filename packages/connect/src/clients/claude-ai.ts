import type { Block, DescribeClient } from '../client.ts'
import { askAnywhere } from '../common.ts'
import { claudeConnectorLink } from '../install-links.ts'
import { domainOf, type Site } from '../site.ts'

const documentation =
  'https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp'

export const claudeAi: DescribeClient = (site) => ({
  id: 'claude-ai',
  name: 'Claude.ai',
  documentation,
  callsFromAfar: true,
  path: '/mcp',
  tools:
    'No limit is known, so the default address does. A chat’s menu of connectors turns off tools that you do not need.',
  add: claudeConnector(site),
  logIn: 'Press **Connect** next to Flamegate. The phone app has the connector too, once it is there.',
  ask: askAnywhere,
  otherWays: [
    'By hand: Customize → Connectors → + → Add custom connector, with the name `Flamegate` and this address:',
    { copy: `${site.origin}/mcp`, label: 'MCP URL', language: 'text' },
    'On Team and Enterprise an owner adds it first, under Organization settings → Connectors; then everybody presses **Connect** for themselves. A free account has one custom connector.',
  ],
  guide: [],
  files: claudeEgress(site),
  token: ['A connector logs in and sends no header of yours. For a token, use Claude Code.'],
  remove: [
    'Customize → Connectors → Flamegate → Remove. The page Connected apps of Flamegate ends its access at once.',
  ],
})

/** How the apps of Anthropic, which share their connectors, get the server. */
export function claudeConnector({ origin }: Site): Block[] {
  return [
    { link: claudeConnectorLink(`${origin}/mcp`), label: 'Add to Claude' },
    'Claude opens with the name and the address filled in: press **Add**.',
  ]
}

/** The sandbox of these apps reaches only hosts that somebody allowed. */
export function claudeEgress(site: Site): Block[] {
  return [
    'Claude reads and sends files in a sandbox whose way out is closed; a refusal says “Host not in allowlist”. Everything but files works without it. To open it, allow this host:',
    { copy: domainOf(site), label: 'Host to allow', language: 'text' },
    'On Team and Enterprise an owner does so for everybody: Organization settings → Capabilities → Allow network egress → Package managers and specific domains → Additional allowed domains. Otherwise it is in your own Settings → Capabilities. `*.example.com` allows all names below a domain. Begin a new chat then.',
  ]
}
