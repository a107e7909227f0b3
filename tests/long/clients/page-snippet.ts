import { clients, sectionsOf, type Snippet } from '../../../packages/connect/src/index.ts'

/** What the page /connect of that installation shows to copy for a client, under that name. */
export function pageSnippet(clientId: string, label: string, origin: string): Snippet {
  const site = { origin }
  const client = clients(site).find(({ id }) => id === clientId)
  if (client === undefined) throw new RangeError(`The page has no ${clientId}.`)
  const blocks = [...client.add, ...sectionsOf(client, site).flatMap((section) => section.blocks)]
  const found = blocks.find((block) => typeof block !== 'string' && block.label === label)
  if (found === undefined || typeof found === 'string' || !('copy' in found))
    throw new RangeError(`The page has no ${JSON.stringify(label)} for ${client.name}.`)
  return found
}

/** The same as a command for a terminal. */
export function pageCommand(clientId: string, label: string, origin: string, more = ''): string[] {
  return ['sh', '-ec', `${pageSnippet(clientId, label, origin).copy}${more}`]
}
