import { forEachLine } from './text-lines.ts'

/** A record with line ends in it is no longer than this, in characters: a quote that is never closed would take all that follows. */
const joinedMax = 200_000

const quotes = /"/g

/**
 * Gives each record of a CSV to `onRecord`, with the number of its first line: cells may be in quotes, which are doubled within,
 * and hold line ends ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)). Empty lines are left out.
 * @param delimiterOf tells by the first line what is between cells
 */
export async function forEachRecord(
  content: AsyncIterable<Uint8Array>,
  delimiterOf: (line: string) => string,
  onRecord: (cells: string[], line: number) => void,
): Promise<void> {
  let delimiter: string | undefined
  /** Lines of a record in which a quote is open. */
  let open: string[] = []
  let openLength = 0
  const give = (record: string, line: number) => {
    delimiter ??= delimiterOf(record)
    onRecord(splitCells(record, delimiter), line)
  }
  /** The first line is a record of its own, whatever its quote means, and those behind it, in which no quote is open, as well. */
  const giveUp = (nextLine: number) => {
    const lines = open
    open = []
    openLength = 0
    let number = nextLine - lines.length
    give(lines[0] ?? '', number++)
    for (const line of lines.slice(1)) takeLine(line, number++)
  }
  const takeLine = (line: string, number: number) => {
    const isOdd = line.includes('"') && (line.match(quotes)?.length ?? 0) % 2 === 1
    if (open.length === 0 && !isOdd) {
      if (line !== '') give(line, number)
      return
    }
    const isClosed = open.length > 0 && isOdd
    open.push(line)
    openLength += line.length + 1
    if (isClosed) {
      const record = open.join('\n')
      const first = number - open.length + 1
      open = []
      openLength = 0
      give(record, first)
    } else if (openLength > joinedMax) giveUp(number + 1)
  }
  let last = 0
  await forEachLine(content, (line, number) => {
    last = number
    takeLine(line, number)
  })
  if (open.length > 0) giveUp(last + 1)
}

/** The cells of a record. */
export function splitCells(record: string, delimiter: string): string[] {
  if (!record.includes('"')) return record.split(delimiter)
  const cells: string[] = []
  let at = 0
  for (;;) {
    if (record[at] === '"') {
      let cell = ''
      at++
      for (;;) {
        const end = record.indexOf('"', at)
        if (end < 0) return [...cells, cell + record.slice(at)]
        cell += record.slice(at, end)
        at = end + 1
        if (record[at] !== '"') break
        cell += '"'
        at++
      }
      const next = record.indexOf(delimiter, at)
      cells.push(next < 0 ? cell + record.slice(at) : cell + record.slice(at, next))
      if (next < 0) return cells
      at = next + 1
    } else {
      const next = record.indexOf(delimiter, at)
      if (next < 0) return [...cells, record.slice(at)]
      cells.push(record.slice(at, next))
      at = next + 1
    }
  }
}

/** Which of the usual delimiters cuts a line into the most cells that satisfy; the comma when none does. */
export function guessDelimiter(line: string, isKnown: (cell: string) => boolean): string {
  const known = [',', ';', '\t', '|'].map((delimiter) => ({
    delimiter,
    count: splitCells(line, delimiter).filter(isKnown).length,
  }))
  return known.toSorted((a, b) => b.count - a.count)[0]?.delimiter ?? ','
}
