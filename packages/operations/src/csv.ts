/**
 * One record of CSV as in RFC 4180, with its line end. Text that a spreadsheet would take for a formula gets an
 * apostrophe in front, because some of it was written by strangers, such as the names of their clients.
 */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
