import { z } from 'zod'

/** What is tried of every client, in this order. */
export const stepNames = ['valid', 'install', 'server', 'skills', 'commands'] as const
export type StepName = (typeof stepNames)[number]

/** What came of one row. `–`: this client cannot show that by itself, or was skipped. */
export const rowResult = z.object({
  title: z.string(),
  version: z.string(),
  steps: z.record(z.enum(stepNames), z.enum(['yes', 'no', '–'])),
  /** Why it was skipped, or what went wrong. */
  trouble: z.string().optional(),
})
export type RowResult = z.output<typeof rowResult>

export const untried: RowResult['steps'] = {
  valid: '–',
  install: '–',
  server: '–',
  skills: '–',
  commands: '–',
}

const begin = '<!-- results: begin -->'
const end = '<!-- results: end -->'

/** The page with these results in place of those it has. */
export function withResults(page: string, summary: string, results: readonly RowResult[]): string {
  const [before, after] = [page.indexOf(begin), page.indexOf(end)]
  if (before === -1 || after === -1) throw new RangeError('The page has no place for results')
  const rows = [
    ['Client', 'Version', ...stepNames],
    ['---', '---', ...stepNames.map(() => '---')],
    ...results.map(({ title, version, steps }) => [title, version, ...stepNames.map((step) => steps[step])]),
  ]
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  return `${page.slice(0, before)}${begin}\n\n${summary}\n\n${table}\n\n${page.slice(after)}`
}

/** For a terminal. */
export function asText(results: readonly RowResult[]): string {
  return results
    .map(({ title, version, steps, trouble }) => {
      const said = stepNames.map((step) => `${step} ${steps[step]}`).join(', ')
      return `${title} ${version}: ${said}${trouble === undefined ? '' : `\n    ${trouble}`}`
    })
    .join('\n')
}
