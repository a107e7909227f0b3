import {
  type Block,
  loginPage,
  type McpClient,
  sectionsOf,
  type Site,
} from '../../packages/connect/src/index.ts'
import { code, generatedNote } from '../reference/markdown.ts'

/** The page of one client, as markdown. */
export function clientPage(client: McpClient, site: Site): string {
  const parts = [
    `# Connect ${client.name}`,
    generatedNote,
    `The page \`/connect\` of your Flamegate has the same with its own address in place of \`${site.origin}\`. [Other clients](README.md).`,
    ...(client.callsFromAfar
      ? [
          `${client.name} calls from servers of its maker: your Flamegate needs an address on the internet, with https ([self-hosting](../self-hosting.md)).`,
        ]
      : []),
    '## Add it',
    ...markdown(client.add),
    '## Log in',
    ...markdown([client.logIn, loginPage]),
    '## Ask first',
    `> ${client.ask}`,
    ...sectionsOf(client, site).flatMap(({ title, blocks }) => [`## ${title}`, ...markdown(blocks)]),
    '## See also',
    [
      `- [The documentation of ${client.name}](${client.documentation}), which this was written after`,
      '- [What each address lists](../mcp-addresses.md)',
      '- [Which clients were tried, and how](../clients.md)',
      '- When it does not connect: the page `/doctor`, or `flamegate doctor <url>`',
    ].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

function markdown(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (typeof block === 'string') return [block]
    if ('link' in block)
      return [
        `**${block.label}** is a link, which the page \`/connect\` has as a button:`,
        fence('text', block.link),
      ]
    const { copy, language, file } = block
    return [...(file === undefined ? [] : [code(file)]), fence(language, copy)]
  })
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}
