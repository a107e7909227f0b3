/** Small helpers for answers in markdown. Cells are escaped, so that a name cannot break a table. */

/** Text that stays one table cell: pipes escaped, line breaks folded, long text cut. */
export type CellValue = string | number | boolean | null | undefined

export function cell(value: CellValue, maxLength = 160): string {
  const text = value === null || value === undefined || value === '' ? '–' : String(value)
  const folded = text.replaceAll(/\s+/g, ' ').replaceAll('|', String.raw`\|`)
  return folded.length > maxLength ? `${folded.slice(0, maxLength - 1)}…` : folded
}

/** A markdown table; `right` columns are aligned right. Says so in a line when there are no rows. */
export function table(
  columns: readonly (string | { title: string; right: true })[],
  rows: readonly (readonly CellValue[])[],
  whenEmpty: string,
): string {
  if (rows.length === 0) return whenEmpty
  const titles = columns.map((column) => (typeof column === 'string' ? column : column.title))
  const rules = columns.map((column) => (typeof column === 'string' ? '---' : '---:'))
  const lines = rows.map((row) => `| ${row.map((value) => cell(value)).join(' | ')} |`)
  return [`| ${titles.join(' | ')} |`, `| ${rules.join(' | ')} |`, ...lines].join('\n')
}

/** `- **Name**: value` lines; empty values are left out. */
export function facts(entries: Readonly<Record<string, CellValue>>): string {
  return Object.entries(entries)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => `- **${name}**: ${cell(value, 400)}`)
    .join('\n')
}

/** The line under a page of rows that tells how to get the next. */
export function moreLine(nextCursor: string | null): string {
  return nextCursor === null ? '' : `\n\n_More: call again with cursor \`${nextCursor}\`._`
}
