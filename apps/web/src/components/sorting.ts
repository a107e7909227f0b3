/** The order of a table's rows, as the column's key; `-` before it for the largest first. Fits into an address. */
export interface Sorting {
  key: string
  direction: 'ascending' | 'descending'
}

export function parseSorting(text: string | undefined): Sorting | undefined {
  if (text === undefined || text === '' || text === '-') return undefined
  return text.startsWith('-')
    ? { key: text.slice(1), direction: 'descending' }
    : { key: text, direction: 'ascending' }
}

/** Writes what `parseSorting` reads. */
export function stringifySorting({ key, direction }: Sorting): string {
  return direction === 'descending' ? `-${key}` : key
}
