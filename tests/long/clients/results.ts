import { z } from 'zod'

/** What every client is taken through, in this order. */
export const stepNames = ['register', 'log in', 'list', 'call', 'refresh', 'revoked'] as const
export type StepName = (typeof stepNames)[number]

const outcome = z.enum(['yes', 'no', '–'])
/** `–`: this client cannot do that without its model, or the step before it failed. */
export type Outcome = z.output<typeof outcome>

/** What came of one row of the matrix. */
export const rowResult = z.object({
  title: z.string(),
  version: z.string(),
  /** Protocol revisions that it spoke. */
  revisions: z.string(),
  steps: z.record(z.enum(stepNames), outcome),
  /** Why it was skipped, or what went wrong. */
  trouble: z.string().optional(),
})
export type RowResult = z.output<typeof rowResult>

export const untried: Record<StepName, Outcome> = {
  register: '–',
  'log in': '–',
  list: '–',
  call: '–',
  refresh: '–',
  revoked: '–',
}

const begin = '<!-- results: begin -->'
const end = '<!-- results: end -->'

/** The page with these results in place of those it has. */
export function withResults(page: string, summary: string, results: readonly RowResult[]): string {
  const [before, after] = [page.indexOf(begin), page.indexOf(end)]
  if (before === -1 || after === -1) throw new RangeError('The page has no place for results')
  const lines = [
    summary,
    '',
    `| Client | Version | Protocol | ${stepNames.join(' | ')} |`,
    `| --- | --- | --- | ${stepNames.map(() => '---').join(' | ')} |`,
    ...results.map(
      ({ title, version, revisions, steps }) =>
        `| ${[title, version, revisions, ...stepNames.map((step) => steps[step])].join(' | ')} |`,
    ),
  ]
  return `${page.slice(0, before)}${begin}\n\n${lines.join('\n')}\n\n${page.slice(after)}`
}

/** What the page says that works: `<title>: <step>`. */
export function worksAccordingTo(page: string): Set<string> {
  const rows = page.slice(page.indexOf(begin), page.indexOf(end)).split('\n')
  return new Set(
    rows.flatMap((row) => {
      const [title, _version, _protocol, ...cells] = row
        .split('|')
        .slice(1)
        .map((cell) => cell.trim())
      return stepNames.filter((_step, index) => cells[index] === 'yes').map((step) => `${title}: ${step}`)
    }),
  )
}

/** For a terminal. */
export function asText(results: readonly RowResult[]): string {
  return results
    .map(({ title, version, revisions, steps, trouble }) => {
      const said = stepNames.map((step) => `${step} ${steps[step]}`).join(', ')
      return `${title} ${version} (${revisions}): ${said}${trouble === undefined ? '' : `\n    ${trouble}`}`
    })
    .join('\n')
}
