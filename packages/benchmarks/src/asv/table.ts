/** One combination of parameters and what was measured with it. */
export interface AsvRow {
  parameters: string[]
  value: string
}

const RULE = /^=+(?: =+)*$/

export function isAsvTableRule(line: string): boolean {
  return RULE.test(line.trim())
}

/**
 * The rows of a table that asv prints below a benchmark with parameters; undefined while its last rule is missing. Where
 * the terminal is wide enough, parameters run across; the dashes then tell how many columns are those of the others.
 *
 *     ===== ======== ========        ===== =========
 *     --           kind                n
 *     ----- -----------------        ----- ---------
 *       n     'up'    'down'           10   1.2±0μs
 *     ===== ======== ========         100  12.3±0μs
 *       10   1.2±0μs  2.3±0μs        ===== =========
 *     ===== ======== ========
 */
export function readAsvTable(lines: string[]): AsvRow[] | undefined {
  const [top = '', title = '', dashes = ''] = lines
  const rules = lines.flatMap((line, index) => (isAsvTableRule(line) ? [index] : []))
  const runsAcross = title.startsWith('--')
  if (rules.length < (runsAcross ? 3 : 2)) return undefined
  const cells = splitter(top)
  const bodyStart = runsAcross ? (rules[1] ?? 0) + 1 : 3
  const body = lines.slice(bodyStart, -1).map(cells)
  if (!runsAcross) return body.map((row) => ({ parameters: row.slice(0, -1), value: row.at(-1) ?? '' }))
  const leftWidth = /^-+/.exec(dashes)?.[0].length ?? 0
  const own = columnStarts(top).filter((start) => start < leftWidth).length
  const headings = cells(lines[bodyStart - 2] ?? '').slice(own)
  return body.flatMap((row) =>
    headings.map((heading, index) => ({
      // Two parameters in one heading stand as "1 / 'up'".
      parameters: [...row.slice(0, own), ...heading.split(' / ')],
      value: row[own + index] ?? '',
    })),
  )
}

function columnStarts(rule: string): number[] {
  return [...rule.matchAll(/=+/g)].map(({ index }) => index)
}

function splitter(rule: string): (line: string) => string[] {
  const starts = columnStarts(rule)
  return (line) => starts.map((start, index) => line.slice(start, starts[index + 1]).trim())
}
