import type { DescribeClient } from '../client.ts'

export const chatgpt: DescribeClient = ({ origin }) => ({
  id: 'chatgpt',
  name: 'ChatGPT',
  documentation: 'https://developers.openai.com/api/docs/guides/developer-mode',
  callsFromAfar: true,
  path: '/mcp',
  toolLimit: 128,
  tools:
    'Deep research and company knowledge use `search` and `fetch` alone, which every address but `/mcp/compact` has. Developer mode has all tools. ChatGPT keeps the list of tools: press **Refresh** in the app’s settings when there are new ones.',
  add: [
    { copy: `${origin}/mcp`, label: 'MCP URL', language: 'text' },
    'In ChatGPT on the web: Settings → Apps → Advanced settings → Developer mode.',
    'Then press **Create app** there, give it the name `Flamegate`, this address as MCP server URL, and OAuth as authentication.',
  ],
  logIn:
    'ChatGPT sends you to the log-in when the app is created. In a chat, choose it under + → Developer mode.',
  ask: 'Search Flamegate for the runs of my project, and tell me which benchmarks got slower and why.',
  otherWays: [
    'Plus, Pro, Business, Enterprise and Education accounts have developer mode; in a workspace an admin may have to allow it. OpenAI moves these settings now and then: its own page, named below, is right.',
  ],
  guide: [],
  files: [
    'ChatGPT’s own sandbox may not reach other hosts. Everything but files works; for files take Codex or another client on your machine.',
  ],
  token: ['An app logs in and sends no header of yours. For a token, use Codex.'],
  remove: [
    'Settings → Apps → Flamegate → Disconnect. The page Connected apps of Flamegate ends its access at once.',
  ],
})
