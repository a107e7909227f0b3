import { guideTokens } from './guide-tokens.ts'
import { code, generatedNote, table } from './markdown.ts'

/** What each guide costs. */
export function guideTokensPage(): string {
  return [
    '# What the guides cost',
    generatedNote,
    'An agent reads `agents` (the file `AGENTS.md`) for every task, and of the guides the one that it needs: `read_guide` has them, and `/mcp/public/skills/`. Counted with the tokenizer o200k_base on the files as they are served; `npm run tokens` counts anew.',
    table(
      ['Guide', 'Tokens', 'At most', 'What for'],
      guideTokens().map(({ name, tokens, goal, description }) => [
        code(name),
        tokens.toLocaleString('en-US'),
        goal.toLocaleString('en-US'),
        description,
      ]),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}
