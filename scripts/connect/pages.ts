import { clients, type McpClient } from '../../packages/connect/src/index.ts'
import { code, generatedNote, table } from '../reference/markdown.ts'
import { clientPage } from './client-page.ts'

const site = { origin: 'https://flamegate.example' }

/** The generated pages about clients: path below the checkout, and content. */
export function connectPages(): { path: string; content: string }[] {
  const all = clients(site)
  return [
    { path: 'docs/connect/README.md', content: overview(all) },
    ...all.map((client) => ({
      path: `docs/connect/${client.id}.md`,
      content: clientPage(client, site),
    })),
  ]
}

function overview(all: readonly McpClient[]): string {
  return `# Connect a client

${generatedNote}

Flamegate is an MCP server at \`/mcp\` of its address. Choose your client; the page \`/connect\` of your Flamegate has the
same with everything filled in.

${table(
  ['Client', 'Quickest way', 'Address', 'Takes at most', 'Needs an address on the internet'],
  all.map((client) => [
    `[${client.name}](${client.id}.md)`,
    quickest(client),
    code(client.path),
    client.toolLimit === undefined ? '' : `${client.toolLimit} tools`,
    client.callsFromAfar ? 'yes' : '',
  ]),
)}

A client that takes few tools gets \`/mcp/compact\`, which lists a handful from which every other one is found and called;
[other addresses](../mcp-addresses.md) list one toolset, or only what reads. Clients that call from the internet need an
address there, with https ([self-hosting](../self-hosting.md)). Which clients were tried, and how, is in
[Clients](../clients.md).
`
}

function quickest({ add }: McpClient): string {
  const way = add.find((block) => typeof block !== 'string')
  if (way === undefined) return ''
  if ('link' in way) return 'a button'
  if (way.language === 'text') return 'its address'
  return way.language === 'sh' ? 'a command' : 'a configuration'
}
