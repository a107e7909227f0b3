export interface Table {
  title: string
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

// What servers say may hold anything; a terminal must not obey it, nor a table be broken by it.
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** On one line, without what steers a terminal. */
export function plainText(text: string): string {
  return text.replaceAll(controls, ' ')
}

/** In columns; the first to the left, the others to the right. */
export function tableText({ title, columns, rows }: Table): string {
  const lines = [columns, ...rows].map((row) => row.map(plainText))
  const widths = columns.map((_, at) => Math.max(...lines.map((row) => row[at]?.length ?? 0)))
  const drawn = lines.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
  return [title, ...drawn.map((line) => `  ${line}`)].join('\n')
}

export function tableMarkdown({ title, columns, rows }: Table): string {
  const rule = `| ${columns.map((_, at) => (at === 0 ? '---' : '---:')).join(' | ')} |`
  return [`## ${title}`, '', markdownLine(columns), rule, ...rows.map(markdownLine)].join('\n')
}

export function tableHtml({ title, columns, rows }: Table): string {
  const cells = (row: readonly string[], tag: 'td' | 'th') =>
    row.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')
  return `<h2>${escapeHtml(title)}</h2><div class="wide"><table><thead><tr>${cells(columns, 'th')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${cells(row, 'td')}</tr>`)
    .join('')}</tbody></table></div>`
}

function markdownLine(cells: readonly string[]): string {
  return `| ${cells.map(markdownText).join(' | ')} |`
}

/** As words, whatever marks of markdown or HTML are in it. */
export function markdownText(text: string): string {
  return plainText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\`*_[\]|~]/g, '\\$&')
}

export function escapeHtml(text: string): string {
  return plainText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
