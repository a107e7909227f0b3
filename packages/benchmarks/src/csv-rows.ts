import { FormatError } from './format-error.ts'

/** A row by its column's names. */
export interface CsvRow {
  cells: Map<string, string>
  lineNumber: number
}

/**
 * The rows below the heading, RFC 4180 but for line ends within quotes, which no benchmark has.
 * `headingLine` counts from 1; what stands above it is not read.
 */
export function csvRows(text: string, headingLine: number): CsvRow[] {
  const lines = text.split(/\r?\n/)
  const heading = splitCells(lines[headingLine - 1] ?? '')
  return lines.slice(headingLine).flatMap((line, index) => {
    if (line.trim() === '') return []
    const lineNumber = headingLine + index + 1
    const cells = splitCells(line)
    if (cells.length !== heading.length) {
      throw new FormatError(`Expected ${heading.length} cells as in the heading`, lineNumber)
    }
    return [{ cells: new Map(heading.map((name, at) => [name, cells[at] ?? ''])), lineNumber }]
  })
}

function splitCells(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)
  return [...cells].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '')
}
