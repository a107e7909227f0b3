import { catalogue, problems } from '../../packages/contract/src/index.ts'
import { code, generatedNote, table } from './markdown.ts'

/** Every problem a caller can meet, with its status and the operations that name it. */
export function problemsPage(): string {
  const rows = Object.entries(problems).map(([name, { status, title }]) => [
    `<a id="${name}"></a>${code(name)}`,
    String(status),
    title,
    catalogue
      .filter((operation) => operation.problems.some((each) => each === name))
      .map((operation) => `[${operation.id}](operations.md#${operation.id})`)
      .join(', '),
  ])
  return [
    '# Problems',
    generatedNote,
    'A refusal over REST is an RFC 9457 problem document (`application/problem+json`) with `type`, `title`, `status`, `code`, `detail` and, where fields were wrong, `errors`, one entry per field. `detail` says what happened and what to do next. Over MCP the same words are a tool result with `isError`.',
    'Codes, statuses and titles are stable. `type` ends in the code; so do the anchors of this page.',
    table(['Code', 'Status', 'Title', 'Named by'], rows),
  ]
    .join('\n\n')
    .concat('\n')
}
