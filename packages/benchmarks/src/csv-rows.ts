import { FormatError } from './format-error.ts'

/** A row by its column's names. */
export interface CsvRow {
  cells: Map<string, string>
  lineNumber: number
}

/**
 * The rows below a heading, of which one file put to another has several; RFC 4180 but for line ends within quotes, which
 * no benchmark has. What stands above the first is not read.
 * @param lastColumn with which a row may end too, as if the cells behind it were empty
 */
export function csvRows(text: string, isHeading: RegExp, lastColumn?: string): CsvRow[] {
  let heading: string[] = []
  return text.split(/\r?\n/).flatMap((line, index) => {
    const lineNumber = index + 1
    const cells = splitCells(line)
    if (isHeading.test(line)) {
      heading = cells
      return []
    }
    if (heading.length === 0 || line.trim() === '') return []
    const least = lastColumn === undefined ? heading.length : heading.indexOf(lastColumn) + 1
    if (cells.length !== heading.length && cells.length !== least) {
      throw new FormatError(`Expected ${heading.length} cells as in the heading`, lineNumber)
    }
    return [{ cells: new Map(heading.map((name, at) => [name, cells[at] ?? ''])), lineNumber }]
  })
}

function splitCells(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)
  return [...cells].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}
