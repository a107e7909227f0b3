import { code, generatedNote, table } from './markdown.ts'
import { toolTokens } from './tool-tokens.ts'

/** What the list of tools costs at each address. */
export function toolTokensPage(): string {
  return [
    '# What the list of tools costs',
    generatedNote,
    'A client sends the list of tools to its model with every turn. How long it is depends on the address to which it is connected; [MCP addresses](../mcp-addresses.md) explains them. Counted with the tokenizer o200k_base on the result of `tools/list` as it is served to somebody who may do everything; `npm run tokens` counts anew.',
    table(
      ['Address', 'Tools', 'Tokens', 'At most', 'What'],
      toolTokens().map(({ address, tools, tokens, goal, what }) => [
        code(address),
        String(tools),
        inWords(tokens),
        goal === null ? '' : inWords(goal),
        what,
      ]),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}

/** The same for the web UI. */
export function toolTokensJson(): string {
  return `${JSON.stringify(toolTokens(), null, 2)}\n`
}

function inWords(count: number): string {
  return count.toLocaleString('en-US')
}
